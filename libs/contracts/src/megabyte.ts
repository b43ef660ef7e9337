/** The number of bytes in a megabyte, as shown to people. In its own file, so that importing it does not load zod. */
export const MB = 1_048_576
