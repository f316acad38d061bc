package stackelberg.solver.published.admm;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The memory that a factorisation may use. */
final class Memory {
    /** The share of the physical memory that is used at most; the rest is for the system and other programs. */
    private static final double SHARE = 0.8;

    private Memory() {}
    /** Returns the number of bytes that direct buffers can take: the limit of the virtual machine, but at most 80% of the physical memory. */
    static double directLimit() {
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        var machine = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        double allowed =
                Double.parseDouble(machine.getVMOption("MaxDirectMemorySize").getValue());
        if (allowed == 0) {
            // 0 means the default, which is the size of the heap
            allowed = Runtime.getRuntime().maxMemory();
        }
        return Math.min(allowed, SHARE * system.getTotalMemorySize());
    }
}
