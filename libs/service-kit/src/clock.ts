/** Returns the current time. Use cases receive it as a dependency, so that tests can choose the time. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
