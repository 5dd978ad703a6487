"""Words that are spelt right: the vocabulary of specifications of tables, parts and queries."""

# Forms with a common ending (-s, -ed, -ing) need no entry of their own.
_TEXT = """
about above absence accept access accessibility accessible accounts achieved across action
activate active added adding additional address administrator affect after again against
aggregated aggregating agree alias alike allow almost already alter alternative although
altinity always amazon ambiguous america among amount anchors another answer answers anything
anyway apart appear appearance append applied apply appropriate argument around array arrive
aside asked assets assigned assume asynchronously attach attempt automatic automatically
availability available avoid await azure background backslash backup bandwidth based became
because become before begin beginning behavior behaviour behind being belong below berlin beside
between beyond biggest billion binary blank block boolean bound bring broken browser bucket
build bytes cache called calls canada cannot cardinality cases casts catalog catalogue catch
cause central certain chance change character characters check checksum choose chosen chunk
cities clause clean cleanup clear click clickhouse close cloud cluster codec collapsing
collection column columnar combination combine comes comma command comment commit common compact
compare comparison compatibility compatible complement complete complex components compress
compression computed concurrency concurrent condition configurable configuration configured
conflict conform connect connection consequence consider consistency consistent consists
consolidated constraint constructed consume consumption contain containment content context
continuing contradict contrast control controlled controlling conversions coordination copied
copies copying correct correctness corresponding corrupt corruption could count countries
country course cover covers create creation credential current cursor damage database dataset
datatypes dates decide decision declare deduplicate deduplication default defects define
definition delay deletable delete deletion delivered delivers delta demands depend deprecated
derive describe description design destination detach detail detect determine development device
diagram dictionary differ difference different differs direct directories directory disabled
disables disallowed disappear discovery disks distinct distribute divide document documentation
doesn doesnt double dropped duplicate duplication duration during dynamic earlier earliest early
edited effect efficiency efficient either elapsed electronic element eliminated embedded empty
enable encode encodings encrypt encryption ended enforce engine enough ensure enter entire
entries entry enumeration environment ephemeral equal equivalent error escape essentially
evaluate event eventual every everything exact example exceed except exception exchange exclude
executable execute execution exist existence existent expand expect experimental expiration
expire explanation explicit export expose express expression extend external extract factor
failed failing fails failure false family faster fault feature fences fetch fewer field figure
filename files filesystem filter filters final finds finish first fixed float floor flowchart
flush folder follow forbids force forgets formal format formatting former found fraction
fragment france freeze frequent fresh function functionality further future gather generate
generic germany github given gives global going google graceful grant granularity graph graphite
greater greatest group guarantee guessed guide hadoop handle happen harmless header heading
heuristics hidden hiding hierarchical hierarchy higher highest historical history holds hosted
hours house however https hyphen iceberg ideal idempotency idempotent identical identification
identified identifier identifiers identifies identify ignore illegal immediately immutability
immutable implement implicit import improve inactive include inclusive incomplete incorrect
increase index indices individual infer inference inferred inform information inherit initial
initiates inner input insert inside instance instead intact integer integers integrity
intentionally interface interference internal interpret interrupt interval introduction invalid
invoke irrelevant isolate issue iterate itself joined keeper keeping keeps keyword known knows
label lacked lacks language large later latest layout leader leads learn least leave length
lessen lesser letters level lifetime light lightweight limit lines links listed listen listing
lists literal local locate locked logging logic logical london longer looks losing losses lower
machine maintain makes manage manageable management manifest manipulating manipulation manual
markdown marked marks masks match material materialize mathematical matter maximum maybe meaning
meantime meanwhile measure mechanism meets memory mention merge mergetree mermaid message
metadata metastore method metric microseconds microsoft middle migrate million milliseconds
minimum minmax minor minutes mismatched missing misspelt mixed mixture modifications modify
moment monday mongodb monitor month mount multiple mutate mutation mysql named nameless namenode
names naming native natural nearest nearly necessary needed needs neither nested network never
newer newest nodes nonexisting normal north noted notes nothing notice nowhere nullable number
numbers numeric object observe obtain occur occurred occurring offer offers offset older omitted
ongoing operate operation operator optimal optimize option optional oracle order orders
organized organizing origin original other others otherwise outcome outdated outer outfile
output outside overlap override overwrite owner parallel parameter parameters parent parity
parquet parse partial participating parties partition parts party passed password patch paths
pattern pause payload pending perform performance period periodically permanently permission
persist persistence phase physical place plain planned point policy populate portion position
positive possible postgresql practices precedence precedes prefers prefix preparation prepare
prepended present preserve prevent previous prewhere price primary principle print prior
privilege process produce product profile program progress prohibit project projections promise
proper property protect protocols provide provoked prune publish purge purpose queried queries
query queryable question queue quick quiet quite quota quotation quote raise random range rather
ratio reach reader reading readonly reads ready really reason receive recent reclaim recognise
recognition recommend record recover recreate redis reduce refer reference refers reflect
refusal refuse regardless region register regression regular reinsert reject related release
reload remain remember remote removal remove rename repair repeat replace replica replicate
replication report repository represent request require requirement reserve reset resolve
resource respect respond restart restore restrict restrictions result resume retain retention
retries retrieve retry return reuse revert review revision revoke rewrite right rollback rotate
round route rules running runtime safely safety sales sample satisfy saved saves saying scale
scanning scenario schedule schema scope score search second secondary secret section secure
security segment select selection semicolons sensitive sentence separate sequence serial
serialization series serve service session setting setup several shall shard share shelf shift
short should showed showing shown shows shutdown sidebar sides signal signed silent similar
simple simultaneously since single sinks situations sketched sketches skipping slash sleep slice
slower small smallest snapshot socket software sorted sorting source space spare spark sparse
speak special specific specification specified specify speed spelled spent split splitting
spread sqlite stability stable stage stand standard start starting state stateless statement
static statistics status stays steps still stood stopped stopping storage store strategy stream
street strict string strong structural structure style subdirectories subgraph subject submit
submitted subquery subset substring succeed success successful successor sufficient suffix
suggests suitable suite summary summation summing superseded supply support suppress survive
suspend switch symbol synchronous syntax system table taken takes target tells temporary
terminate their there thereby therefore these thing think third those thousand thread three
threshold thrift throttled throttler throttling through throughout throw tiered tiers timeout
times timestamp together toggle tolerate topic total touch track traffic trailing transaction
transfer transform transient transit treat tried trigger trips troubleshoot truncate trust truth
trying tuned tuple turned twice types typical unable unchanged uncommitted uncompressed
undecided under underlying understand unencrypted unfinished unfreeze uniform unique uniqueness
unknown unless unlimited unlock unnecessary unpartitioned unprocessed unread unscheduled
unsigned unsorted unsupported untested until unused update upload upper usage username users
using usual utility valid validate validation value variable variant various vector verify
version violates virtual visible visit volume waiting waits wants watch whatever whenever where
whether which while white whole whose wildcard window winner within without words worker working
works world worse would write written wrong wrote years yield yyyymm zookeeper
"""

WORDS = frozenset(_TEXT.split())
