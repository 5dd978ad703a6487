// Reads answers of ClickHouse into Spark inside of Java: each task sends its statement over HTTP and shows Spark the
// columns of the Arrow stream where they lie. pipelines/clickhouse/java_reads.py compiles it with Janino, hence raw types and casts.
package pipelines;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageChannelReader;
import org.apache.arrow.vector.ipc.message.MessageResult;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.ArrowUtils;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

public class ClickHouseReads implements TableProvider {
    // Reads that were put here by Python and not yet made a DataFrame of. Options would show credentials.
    private static final ConcurrentHashMap READS = new ConcurrentHashMap();

    public static void put(String id, String schema, String where, String url, String user, Object[] parts) {
        READS.put(id, new Source(new Readers((StructType) DataType.fromJson(schema), where, url, user), parts));
    }

    // What a task needs: everything behind the request line, the statement, and how many rows it must find (or -1).
    public static Object part(
            String host, int port, String path, String id, String headers, String sql, String condition, long rows) {
        return new Part(host, port, path, id, headers, sql, condition, rows);
    }

    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return ((Source) READS.get(options.get("read"))).schema();
    }

    public Table getTable(StructType schema, Transform[] partitioning, Map properties) {
        return (Source) READS.remove(properties.get("read"));
    }

    public static class Failed extends RuntimeException {
        Failed(String text) {
            super(text.replaceAll("\\s+", " ").trim());
        }
    }

    public static class Source implements Table, SupportsRead, ScanBuilder, Scan, Batch {
        private final Readers readers;
        private final Object[] parts;

        Source(Readers readers, Object[] parts) {
            this.readers = readers;
            this.parts = parts;
        }

        public String name() { return readers.where; }
        public StructType schema() { return readers.schema; }
        public StructType readSchema() { return readers.schema; }
        public String description() { return "clickhouse " + readers.where; }
        public Set capabilities() { return Collections.singleton(TableCapability.BATCH_READ); }
        public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) { return this; }
        public Scan build() { return this; }
        public Batch toBatch() { return this; }
        public PartitionReaderFactory createReaderFactory() { return readers; }

        public InputPartition[] planInputPartitions() {
            InputPartition[] planned = new InputPartition[parts.length];
            for (int i = 0; i < planned.length; i++) planned[i] = (InputPartition) parts[i];
            return planned;
        }
    }

    public static class Part implements InputPartition {
        final String host;
        final int port;
        final String path;
        final String id;
        final String headers;
        final String sql;
        final String condition;
        final long rows;

        Part(String host, int port, String path, String id, String headers, String sql, String condition, long rows) {
            this.host = host;
            this.port = port;
            this.path = path;
            this.id = id;
            this.headers = headers;
            this.sql = sql;
            this.condition = condition;
            this.rows = rows;
        }
    }

    public static class Readers implements PartitionReaderFactory {
        final StructType schema;
        final String where;
        final String url;
        final String user;

        Readers(StructType schema, String where, String url, String user) {
            this.schema = schema;
            this.where = where;
            this.url = url;
            this.user = user;
        }

        public boolean supportColumnarReads(InputPartition part) { return true; }
        public PartitionReader createReader(InputPartition part) { throw new UnsupportedOperationException(); }
        public PartitionReader createColumnarReader(InputPartition part) { return new Reader(this, (Part) part); }
    }

    public static class Reader implements PartitionReader {
        private final Readers about;
        private final Part part;
        private final Answer answer;
        private final BufferAllocator allocator;
        private final ArrowStreamReader stream;
        private ColumnarBatch batch;
        private long rows;

        Reader(Readers about, Part part) {
            this.about = about;
            this.part = part;
            answer = new Answer(about, part);
            allocator = ArrowUtils.rootAllocator().newChildAllocator("clickhouse", 0, Long.MAX_VALUE);
            stream = new ArrowStreamReader(new Messages(answer, allocator), allocator);
        }

        public boolean next() throws IOException {
            VectorSchemaRoot root = stream.getVectorSchemaRoot();
            List vectors = root.getFieldVectors();
            if (batch == null) batch = new ColumnarBatch(columns(vectors));
            if (!stream.loadNextBatch()) {
                if (part.rows >= 0 && rows != part.rows) {
                    throw new Failed(about.where + " changed while it was read: " + part.condition + " had " + part.rows
                        + " rows and now has " + rows + ". Make a new DataFrame of it, and stop merges if they are why.");
                }
                return false;
            }
            int count = root.getRowCount();
            for (int i = 0; i < vectors.size(); i++) check((FieldVector) vectors.get(i), i, count);
            batch.setNumRows(count);
            rows += count;
            return true;
        }

        private ColumnVector[] columns(List vectors) {
            ColumnVector[] columns = new ColumnVector[vectors.size()];
            for (int i = 0; i < columns.length; i++) {
                columns[i] = new ArrowColumnVector((FieldVector) vectors.get(i));
                if (!columns[i].dataType().equals(about.schema.apply(i).dataType())) {
                    throw new Failed("The values in " + name(i) + " do not fit: they are " + columns[i].dataType().sql());
                }
            }
            return columns;
        }

        private String name(int column) {
            return "column " + about.schema.apply(column).name() + " of " + about.where;
        }

        private void check(FieldVector vector, int column, int count) {
            if (!about.schema.apply(column).nullable() && vector.getNullCount() > 0) {
                throw new Failed("There is a NULL in " + name(column) + ", which has no place for it.");
            }
            if (vector instanceof VarCharVector && !isText((VarCharVector) vector, count)) {
                throw new Failed(
                    "There are bytes in " + name(column) + " that are not UTF-8: name it in the option 'binary'.");
            }
        }

        // Whether all values are UTF-8; where no byte of them has its highest bit, they are.
        private static boolean isText(VarCharVector texts, int count) {
            if (count == 0) return true;
            int end = texts.getOffsetBuffer().getInt(4L * count);
            long address = texts.getDataBuffer().memoryAddress();
            long bits = 0;
            int at = 0;
            for (; at + 8 <= end; at += 8) bits |= Platform.getLong(null, address + at);
            for (; at < end; at++) bits |= Platform.getByte(null, address + at);
            if ((bits & 0x8080808080808080L) == 0) return true;
            for (int row = 0; row < count; row++) {
                int start = texts.getStartOffset(row);
                int size = texts.getEndOffset(row) - start;
                if (!texts.isNull(row) && !UTF8String.fromAddress(null, address + start, size).isValid()) return false;
            }
            return true;
        }

        public Object get() { return batch; }

        public void close() throws IOException {
            stream.close();
            answer.close();
            allocator.close();
        }
    }

    // Messages of an Arrow stream, each looked at before it is read: an error of the server may stand in its place.
    public static class Messages extends MessageChannelReader {
        private final Answer answer;

        Messages(Answer answer, BufferAllocator allocator) {
            super(new ReadChannel(answer), allocator);
            this.answer = answer;
        }

        public MessageResult readNext() throws IOException {
            return answer.isAtMessage() ? super.readNext() : null;
        }
    }

    // The answer to a statement, which is sent when it is first read.
    public static class Answer implements ReadableByteChannel {
        private static final Pattern CODE =
            Pattern.compile("Code: (\\d+)(?:\\.|, e\\.displayText\\(\\) =) DB::Exception: ");
        private static final long TIMEOUT = 600000;
        private static final int LARGEST_MESSAGE = 64 * 1024 * 1024;
        private final Readers about;
        private final Part part;
        private SocketChannel socket;
        private Selector selector;
        // What was read and not yet taken, and the last bytes that were taken.
        private final ByteBuffer ahead = ByteBuffer.allocateDirect(65536).order(ByteOrder.LITTLE_ENDIAN);
        private final byte[] tail = new byte[4096];
        private int tailSize;

        Answer(Readers about, Part part) {
            this.about = about;
            this.part = part;
            ahead.limit(0);
        }

        // Whether a message follows; false at the end of the stream, behind which nothing may be.
        boolean isAtMessage() throws IOException {
            if (socket == null) send();
            while (ahead.remaining() < 8 && fill() > 0) { }
            int size = ahead.remaining() < 8 ? -1 : ahead.getInt(ahead.position() + 4);
            boolean good = size >= 0 && size <= LARGEST_MESSAGE && ahead.getInt(ahead.position()) == -1;
            if (good && size > 0) return true;
            if (good) ahead.position(ahead.position() + 8);
            if (!good || ahead.hasRemaining() || fill() > 0) throw brokenOff("it ended too early");
            return false;
        }

        private void send() throws IOException {
            int attempt = TaskContext.get() == null ? 0 : TaskContext.get().attemptNumber();
            String id = attempt == 0 ? part.id : part.id + "-" + attempt;
            byte[] body = part.sql.getBytes(StandardCharsets.UTF_8);
            String head = "POST " + part.path + "&query_id=" + id + " HTTP/1.0\r\n" + part.headers
                + "Content-Length: " + body.length + "\r\n\r\n";
            byte[] start = head.getBytes(StandardCharsets.UTF_8);
            ByteBuffer request = ByteBuffer.allocate(start.length + body.length);
            request.put(start).put(body).flip();
            try {
                socket = SocketChannel.open();
                socket.socket().connect(new InetSocketAddress(part.host, part.port), (int) TIMEOUT);
                while (request.hasRemaining()) socket.write(request);
                socket.configureBlocking(false);
                selector = Selector.open();
                socket.register(selector, SelectionKey.OP_READ);
            } catch (IOException error) {
                throw new Failed("ClickHouse at " + about.url + " does not answer: " + error.getMessage() + ".");
            }
            int end = -1;
            while (end < 0) {
                if (fill() <= 0) throw new Failed("ClickHouse at " + about.url + " does not answer: no answer.");
                for (int i = 3; i < ahead.limit() && end < 0; i++) {
                    if (ahead.get(i) == '\n' && ahead.get(i - 2) == '\n') end = i + 1;
                }
            }
            byte[] headers = new byte[end];
            ahead.get(headers);
            String text = new String(headers, StandardCharsets.ISO_8859_1);
            String status = text.split(" ", 3)[1];
            Matcher code = Pattern.compile("(?i)\r\nX-ClickHouse-Exception-Code: (\\d+)").matcher(text);
            boolean isError = code.find();
            if (isError || !status.equals("200")) {
                String words = rest();
                Matcher found = CODE.matcher(words);
                String number = isError ? code.group(1) : found.find() ? found.group(1) : "0";
                throw refused(number, number.equals("0") ? "HTTP " + status + ": " + first(words, 300) : words);
            }
        }

        // Read more into what is ahead; how many bytes there were, -1 at the end.
        private int fill() throws IOException {
            ahead.compact();
            try {
                return receive(ahead);
            } finally {
                ahead.flip();
            }
        }

        private int receive(ByteBuffer target) throws IOException {
            int count;
            try {
                while ((count = socket.read(target)) == 0 && target.hasRemaining()) {
                    if (selector.select(TIMEOUT) == 0) throw new IOException("timed out");
                    selector.selectedKeys().clear();
                }
            } catch (IOException error) {
                throw new Failed("The answer of ClickHouse at " + about.url + " broke off: " + error.getMessage() + ".");
            }
            return count;
        }

        public int read(ByteBuffer target) throws IOException {
            int before = target.position();
            if (ahead.hasRemaining()) {
                int limit = ahead.limit();
                ahead.limit(Math.min(limit, ahead.position() + target.remaining()));
                target.put(ahead);
                ahead.limit(limit);
            } else if (receive(target) < 0) {
                throw brokenOff("it ended too early");
            }
            remember((ByteBuffer) target.duplicate(), before, target.position());
            return target.position() - before;
        }

        private void remember(ByteBuffer from, int start, int end) {
            int size = Math.min(end - start, tail.length);
            int kept = Math.min(tailSize, tail.length - size);
            System.arraycopy(tail, tailSize - kept, tail, 0, kept);
            from.limit(end).position(end - size);
            from.get(tail, kept, size);
            tailSize = kept + size;
        }

        // All that is left, of which the last bytes are remembered.
        private String rest() throws IOException {
            do {
                remember((ByteBuffer) ahead.duplicate(), ahead.position(), ahead.limit());
                ahead.position(ahead.limit());
            } while (fill() > 0);
            return new String(tail, 0, tailSize, StandardCharsets.UTF_8);
        }

        private Failed brokenOff(String words) throws IOException {
            String text = rest();
            Matcher code = CODE.matcher(text);
            if (code.find()) return refused(code.group(1), text);
            return new Failed("The answer of ClickHouse at " + about.url + " broke off: " + words + ".");
        }

        private Failed refused(String code, String words) {
            String credentials = code.equals("193") ? "WRONG_PASSWORD" : code.equals("194") ? "REQUIRED_PASSWORD"
                : code.equals("516") ? "AUTHENTICATION_FAILED" : null;
            if (credentials != null) {
                return new Failed("ClickHouse at " + about.url + " refused the credentials of user '" + about.user
                    + "' (code " + code + ", " + credentials + ").");
            }
            String text = Pattern.compile("\\s*\\(version .*", Pattern.DOTALL).matcher(words).replaceFirst("");
            int start = text.indexOf("DB::Exception: ");
            text = first(start < 0 ? text : text.substring(start + 15), 700);
            return new Failed("ClickHouse at " + about.url + " refused (code " + code + "): " + text);
        }

        private static String first(String text, int size) { return text.substring(0, Math.min(text.length(), size)); }

        public boolean isOpen() { return socket == null || socket.isOpen(); }

        public void close() throws IOException {
            if (selector != null) selector.close();
            if (socket != null) socket.close();
        }
    }
}
