// What no operator configures, in a file without zod, so that pages can import it without loading it.

/** The number of bytes in a megabyte, as shown to people. */
export const MB = 1_048_576

/** The most uploads that one request for an archive can select: their ids fit into a JSON body. */
export const MAX_SELECTED_UPLOADS = 3_000

/**
 * How long a deletion can be undone, as texts say it: the server restores what guests have taken back, and pages of members
 * delete that much later.
 */
export const UNDO_MS = 30_000
