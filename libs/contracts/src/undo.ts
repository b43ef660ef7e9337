/**
 * How long a deletion can be undone, as texts say it: the server restores what guests have taken back, and pages of members
 * delete that much later. In its own file, so that importing it does not load zod.
 */
export const UNDO_MS = 30_000
