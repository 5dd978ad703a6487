"""Words that are spelt right: the vocabulary of specifications of tables, parts and queries."""

# Forms with a common ending (-s, -ed, -ing) need no entry of their own.
_TEXT = """
about above absence accept acceptance access accessibility accessible accounts achieved across
action activate active added adding additional address administrator affect after afterwards
again against aggregated aggregating agree alias alike allow almost alone along already alter
alternative although altinity always amazon ambiguous america among amount anchor annotation
another answer answers anything anyway apart appear appearance append applied applies apply
appropriate argument around array arrive aside asked assets assigned assume asynchronously
attach attempt automatic automatically availability available avoid await azure background
backslash backup bandwidth based became because become before began begin beginning begun
behavior behaviour behind being belong below beneath berlin beside between beyond biggest
billion binary binds blank block boolean bound brackets breaks bring broke broken brought
browser bucket buffer build bytes cache called calls canada cancelled cannot cardinality carries
cases casts catalog catalogue catch cause cells central certain chance change character
characters check checksum choose chosen chunk cities claim clarifications clause clean cleanup
clear click clickhouse client clone close cloud cluster codec collapsing collection column
columnar combination combine comes comma command comment commit common compact compare
comparison compatibility compatible compile complement complete complex components compress
compression computed concurrency concurrent condition configurable configuration configured
conflict conform connect connection consequence consider consistency consistent consists
consolidated constraint constructed consume consumption contain containment content context
continuing contradict contrast control controlled controlling conversions converting
coordination copied copies copying corpus correct correctness corresponding corrupt corruption
could count countries country course cover covers crash create creation credential current
cursor damage database dataset datatypes dates decide decision declare decorate deduplicate
deduplication deeper default defects define definition delay deletable delete deletion delivered
delivers delta demanded demands depend deprecated derive describe description design destination
detach detail detect determine development device diagnostics diagram dictionary differ
difference different differs direct directories directory disabled disables disallowed disappear
disconnect discovery disks distinct distribute divide document documentation doesn doesnt double
draft drawing dropped duplicate duplication duration during dynamic earlier earliest early
edited effect efficiency efficient either elapsed electronic element eliminated embedded empty
enable encode encodings encrypt encryption ended enforce engine enough ensure enter entire
entries entry enumeration environment ephemeral equal equivalent error escape essentially
evaluate event eventual every everything exact example exceed except exception exchange exclude
executable execute execution exist existence existent expand expect experimental expiration
expire explanation explicit export expose express expression extend external extra extract
factor failed failing fails failure false family faster fatal fault feature fence fetch fewer
field figure filename files filesystem filter filters final finding finds finish first fitting
fixed float floor flowchart flush folder follow forbids force forever forgets formal format
formatting former forms found fraction fragment france freeze frequent fresh function
functionality further future gather generate generic germany github given gives global going
google graceful grant granularity graph graphite greater greatest group guarantee guessed guide
hadoop handle happen harmless headed header heading heuristics hidden hides hiding hierarchical
hierarchy higher highest historical history holds hosted hours house however https hyphen
iceberg ideal idempotency idempotent identical identification identified identifier identifiers
identifies identify ignore illegal immediately immutability immutable implement implicit import
improve inactive include inclusive incomplete incorrect increase index indices individual infer
inference inferred inform information inherit initial initiates inner input insert inside
instance instead intact integer integers integrity intentionally interface interference internal
interpret interrupt interruption interval introduction invalid invoke irrelevant isolate issue
iterate itself joined joins keeper keeping keeps keyword killed known knows label lacked lacks
language large later latest layout leader leads learn least leave length lessen lesser letters
level lifetime light lightweight limit lines linked links listed listen listing lists literal
lives loads local locate locked logging logic logical london longer looks losing losses lower
machine maintain major makes malformed manage manageable management manifest manipulates
manipulating manipulation manual markdown marked marks masks match material materialize
mathematical matter maximum maybe meaning means meant meantime meanwhile measure mechanism meets
memory mention merge mergetree mermaid message metadata metastore method metric microseconds
microsoft middle migrate million milliseconds minimum minmax minor minutes mismatched missing
misspelt mixed mixture modifications modify module moment monday mongodb monitor month mount
moved moves multiple multiset mutate mutation mysql named nameless namenode names naming native
natural nearest nearly necessary needed needs neighbours neither nested network never
nevertheless newer newest nodes nonexisting normal normative north noted notes nothing notice
nowhere nullable number numbers numeric object observe obtain occur occurred occurring offer
offers offset often older omitted ongoing operate operation operator opposite optimal optimize
option optional oracle order orders organized organizing origin original other others otherwise
outcome outdated outer outfile output outside overlap override overwrite owner packed pairing
paragraph parallel parameter parameters parent parity parquet parse partial participating
parties partition parts party passed password patch paths pattern pause payload pending perform
performance period periodically permanently permission persist persistence phase physical piece
place placeholder plain planned point policies policy populate portion position positive
possible postgresql practices precedence precedes prefers prefix preparation prepare prepended
present preserve prevent previous prewhere price primary principle print prior privilege process
produce product profile program progress prohibit project projections promise proper property
protect protocols prove provide provoked prune publish punctuation purge purpose python queried
queries query queryable question queue quick quiet quite quota quotation quote raise random
range rather ratio reach reader readers reading readonly reads ready really reason receive
recent reclaim recognise recognition recommend record recover recreate redis reduce refer
reference refers reflect reflowing refusal refuse regardless region register regression
regrouped regular reinsert reject related release reload remain remember remote removal remove
rename repair repeat replace replica replicate replication report repository represent request
require requirement reserve reset resetting resolve resource respect respond restart restore
restrict restrictions result resume retain retention retries retrieve retry return reuse revert
review revision revoke rewrite right rollback rotate round route rules running runtime safely
safety sales sample satisfy saved saves saying scale scanning scenario schedule schema scope
score script search second secondary secret section secure security seemed segment select
selection semicolon sensitive sentence separate sequence serial serialization series serve
service session setting setup several shall shards share shelf shift short should showed showing
shown shows shutdown sidebar sides signal signed silent similar simple simultaneously since
single sinks situations skeleton sketched sketches skipping slash sleep slice slower small
smallest snapshot socket software somebody something sorted sorting source space spare spark
sparse speak special specific specification specified specify speed spelled spelling spelt spent
split splitting spread sqlite stability stable stage stale stand standard start starting state
stateless statement static statistics status stays steps still stood stopped stopping storage
store strategy stray stream street strict string stripe strong structural structure style
subdirectories subgraph subject submit submitted subquery subset substring succeed success
successful successor suffice sufficient suffix suggests suitable suite summary summation summing
superseded supply support suppress survive suspect suspend swallows switch symbol synchronous
syntax system table taken takes taking target tells template temporary terminate terms tested
tests texts their themselves there thereby therefore these thing think third those thousand
thread three threshold thrift throttled throttler throttling through throughout throw tiered
tiers timeout times timestamp title together toggle tolerate tools topic total touch track
traffic trailing transaction transfer transform transient transit treat tried trigger trips
troubleshoot truncate trust truth trying tuned tuple turned twice types typical typographic
unable unaccepted unbalanced unchanged unclosed uncommitted uncompressed undecided under
underlying understand unencrypted unfinished unfreeze uniform unique uniqueness unknown unless
unlimited unloaded unlock unnecessary unnoticed unpartitioned unprocessed unread unreadable
unscheduled unseen unsigned unsorted unsupported untested until untouched unused update upload
upper usage username users using usual utility valid validate validation value variable variant
various vector verifies verify version violated violates virtual visible visit volume waiting
waits wants warning watch whatever whenever where whereas whether which whichever while white
whole whose wildcard window winner within without wording words worker working works world worse
would write written wrong wrote years yield yyyymm zookeeper
"""

WORDS = frozenset(_TEXT.split())
