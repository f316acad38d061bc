package stackelberg.data;

/**
 * Where data came from, for provenance.
 *
 * @param name the file name as given, or "standard input"
 * @param sha256 SHA-256 in hexadecimal of the content; for a gzip file, of the uncompressed content, so that packing does not change it
 * @param bytes the length of that content
 */
public record Source(String name, String sha256, long bytes) {}
