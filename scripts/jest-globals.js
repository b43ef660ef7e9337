// What `@jest/globals` exports, where tests run in bare Node.
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } = globalThis
