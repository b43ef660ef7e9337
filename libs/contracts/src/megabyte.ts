/** A megabyte, in bytes, wherever a person reads MB. In a file of its own, so that browsers load no schemas for it. */
export const MB = 1_048_576
