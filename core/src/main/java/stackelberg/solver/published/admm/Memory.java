package stackelberg.solver.published.admm;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How much memory a factor may take. */
final class Memory {
    /** What the system and others need of the physical memory. */
    private static final double SHARE = 0.8;

    private Memory() {}

    /** Bytes that direct buffers can take at most: what the virtual machine allows, and no more than the machine has. */
    static double directLimit() {
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        var machine = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        double allowed =
                Double.parseDouble(machine.getVMOption("MaxDirectMemorySize").getValue());
        if (allowed == 0) {
            // the default is as much as the heap
            allowed = Runtime.getRuntime().maxMemory();
        }
        return Math.min(allowed, SHARE * system.getTotalMemorySize());
    }
}
