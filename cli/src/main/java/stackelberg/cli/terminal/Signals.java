package stackelberg.cli.terminal;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends the process at once on a signal, after a last action.
 *
 * <p>The virtual machine would call the C library's {@code exit}, where OpenBLAS waits for its threads: they may need minutes for a decomposition, or wait
 * for each other. So the system's default handler is restored and the signal is sent again. A parent process then sees that this signal ended the process;
 * a shell reports exit code 128 + n.
 */
public final class Signals {
    private static final List<String> ENDING = List.of("TERM", "INT", "HUP");

    /** The time limit of the action: removing a file takes no time, unless its disk is unreachable. */
    private static final long ERRAND_MILLIS = 500;

    private Signals() {}

    /**
     * Installs the handlers. Signals that are ignored stay ignored, as under {@code nohup}.
     *
     * @param errand the action before the end
     */
    public static void endAtOnce(Runnable errand) {
        LastResort lastResort = new LastResort();
        lastResort.start();
        for (String name : ENDING) {
            try {
                handle(name, errand, lastResort);
            } catch (ReflectiveOperationException | IllegalArgumentException e) {
                // a system without this signal, or a virtual machine that leaves signals alone (-Xrs), which then ends
                // at once anyway
            }
        }
    }

    /** By reflection, because the compiler warns of sun.misc, and the JDK has no other way. */
    private static void handle(String name, Runnable errand, LastResort lastResort)
            throws ReflectiveOperationException {
        Class<?> signals = Class.forName("sun.misc.Signal");
        Class<?> handlers = Class.forName("sun.misc.SignalHandler");
        Object signal = signals.getConstructor(String.class).newInstance(name);
        var handle = signals.getMethod("handle", signals, handlers);
        Object byDefault = handlers.getField("SIG_DFL").get(null);
        Object ignored = handlers.getField("SIG_IGN").get(null);
        int number = (int) signals.getMethod("getNumber").invoke(signal);
        InvocationHandler end = (proxy, method, arguments) -> {
            if (!method.getName().equals("handle")) {
                return method.invoke(errand, arguments);
            }
            lastResort.endSoon(number);
            run(errand);
            handle.invoke(null, signal, byDefault);
            sendAgain(name, number);
            return null;
        };
        Object before = handle.invoke(
                null, signal, Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handlers}, end));
        if (ignored.equals(before)) {
            handle.invoke(null, signal, ignored);
        }
    }

    /** By the shell, because the virtual machine raises no signal that it does not handle. */
    private static void sendAgain(String name, int number) throws InterruptedException {
        String pid = String.valueOf(ProcessHandle.current().pid());
        try {
            new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid).start().waitFor();
            Thread.sleep(ERRAND_MILLIS);
        } catch (IOException e) {
            // there is no shell
        }
        Runtime.getRuntime().halt(128 + number);
    }

    /** A thread that can end the process in any state: it is started in advance and allocates nothing, since memory may be exhausted. */
    private static final class LastResort extends Thread {
        private static final long NANOS = 2_000_000_000L;

        private volatile int number;

        LastResort() {
            super("last resort");
            setDaemon(true);
        }

        void endSoon(int signal) {
            number = signal;
            LockSupport.unpark(this);
        }

        @Override
        public void run() {
            while (number == 0) {
                LockSupport.park(this);
            }
            for (long end = System.nanoTime() + NANOS; System.nanoTime() < end; ) {
                LockSupport.parkNanos(this, NANOS);
            }
            Runtime.getRuntime().halt(128 + number);
        }
    }

    private static void run(Runnable errand) throws InterruptedException {
        Thread thread = new Thread(errand, "last errand");
        thread.setDaemon(true);
        thread.start();
        thread.join(ERRAND_MILLIS);
    }
}
