package stackelberg.spark;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;

/** A standalone master and its workers, each a process of its own on the loopback address. */
final class StandaloneCluster implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(300);

    /** What this project brings along; the annotations of Jackson are Spark's as well. */
    private static final String OURS =
            "(stackelberg|openblas|javacpp|ejml|fastcsv|fastdoubleparser)-.*|jackson-(core|databind)-3.*";

    /** For processes that do little and should be there soon. */
    private static final String SOON = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private final Path folder;
    private final String classPath;
    private final String url;
    private final List<Process> processes = new ArrayList<>();
    private SparkSession session;

    private StandaloneCluster(Path folder, String classPath, int port) {
        this.folder = folder;
        this.classPath = classPath;
        this.url = "spark://" + HOST + ":" + port;
    }

    /**
     * Starts everything from this test's own class path and waits until both executors are there.
     *
     * @param folder for logs and scratch files
     * @param executorMemory such as 512m
     * @param cores of each executor
     */
    static StandaloneCluster start(Path folder, String executorMemory, int cores)
            throws IOException, InterruptedException {
        StandaloneCluster cluster = unconnected(folder, executorMemory, cores, 2, classPath());
        try {
            cluster.connect(executorMemory, cores);
            return cluster;
        } catch (InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /**
     * Starts a master and workers, and no driver.
     *
     * @param classPath of every process
     */
    static StandaloneCluster unconnected(Path folder, String executorMemory, int cores, int workers, String classPath)
            throws IOException, InterruptedException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            port = free.getLocalPort();
        }
        StandaloneCluster cluster = new StandaloneCluster(folder, classPath, port);
        try {
            // a worker looks for Spark's jars here; they are on the executors' class path instead
            Files.createDirectories(folder.resolve("home/jars"));
            cluster.run("master.Master", "--port", String.valueOf(port));
            cluster.awaitMaster(port);
            for (int i = 0; i < workers; i++) {
                Path work = folder.resolve("worker" + i);
                cluster.run(
                        "worker.Worker",
                        "--cores",
                        String.valueOf(cores),
                        "--memory",
                        executorMemory,
                        "--work-dir",
                        work.toString(),
                        cluster.url);
            }
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Spark's jars, and nothing that this project brings along. */
    static String sparkAlone() {
        return Arrays.stream(classPath().split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::isRegularFile)
                .filter(jar -> !jar.getFileName().toString().matches(OURS))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /**
     * What {@code spark-submit} does with these arguments, in a process of its own.
     *
     * @param option for the virtual machines of the driver and the executors
     */
    void submit(String option, String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("--master", url));
        for (String setting : List.of(
                "spark.ui.enabled=false",
                "spark.driver.host=" + HOST,
                "spark.driver.bindAddress=" + HOST,
                "spark.executor.memory=512m",
                "spark.executor.extraClassPath=" + classPath,
                "spark.executor.extraJavaOptions=" + SOON + " " + option,
                "spark.local.dir=" + folder.resolve("scratch"))) {
            all.addAll(List.of("--conf", setting));
        }
        all.addAll(Arrays.asList(arguments));
        Process driver = process("submit", List.of(option), "SparkSubmit", all);
        if (!driver.waitFor(PATIENCE, TimeUnit.NANOSECONDS) || driver.exitValue() != 0) {
            throw new IllegalStateException("spark-submit has failed, or not ended in time:\n"
                    + Files.readString(folder.resolve("submit.log")));
        }
    }

    SparkSession session() {
        return session;
    }

    /** Kills a worker and its executor without a word. */
    void killOneWorker() {
        kill(processes.get(2));
    }

    private void run(String main, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("--host", HOST, "--webui-port", "0"));
        all.addAll(Arrays.asList(arguments));
        process(main + processes.size(), List.of(), main, all);
    }

    private Process process(String name, List<String> options, String main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(opens());
        command.addAll(List.of(SOON.split(" ")));
        command.addAll(options);
        command.addAll(List.of("-Xmx512m", "-cp", classPath, "org.apache.spark.deploy." + main));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile());
        builder.environment().put("SPARK_LOCAL_IP", HOST);
        builder.environment().put("SPARK_HOME", folder.resolve("home").toString());
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    /** Until it listens: on a busy machine that takes longer than a driver is ready to wait. */
    private void awaitMaster(int port) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            try {
                new Socket(HOST, port).close();
                return;
            } catch (IOException e) {
                if (System.nanoTime() > end || !processes.get(0).isAlive()) {
                    throw new IllegalStateException(
                            "The master has not started in time; its log is in " + folder + ".", e);
                }
                Thread.sleep(100);
            }
        }
    }

    private void connect(String executorMemory, int cores) throws InterruptedException {
        session = SparkSession.builder()
                .master(url)
                .appName("stackelberg cluster")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", HOST)
                .config("spark.driver.bindAddress", HOST)
                .config("spark.executor.cores", cores)
                .config("spark.executor.memory", executorMemory)
                .config("spark.executor.extraClassPath", classPath)
                .config("spark.executor.extraJavaOptions", String.join(" ", opens()))
                .config("spark.local.dir", folder.resolve("scratch").toString())
                // a dead executor is asked for its blocks no more than once
                .config("spark.shuffle.io.maxRetries", 1)
                .config("spark.shuffle.io.retryWait", "100ms")
                .config("spark.sql.shuffle.partitions", 2)
                .getOrCreate();
        long end = System.nanoTime() + PATIENCE;
        // the driver counts as one of them
        while (session.sparkContext().statusTracker().getExecutorInfos().length < 3) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        "The cluster has not started both executors in time; its logs are in " + folder + ".");
            }
            Thread.sleep(100);
        }
    }

    static List<String> opens() {
        return Arrays.stream(System.getProperty("stackelberg.spark.jvm", "").split(" "))
                .filter(option -> !option.isEmpty())
                .toList();
    }

    /** In absolute paths: executors run in folders of their own. */
    private static String classPath() {
        String own = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(own.split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static void kill(Process process) {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
        // until they are gone they may still write into the folder
        all.forEach(handle ->
                handle.onExit().completeOnTimeout(handle, 30, TimeUnit.SECONDS).join());
    }

    @Override
    public void close() {
        try {
            if (session != null) {
                session.stop();
            }
        } finally {
            processes.forEach(StandaloneCluster::kill);
        }
    }
}
