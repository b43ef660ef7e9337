import type { Logger } from '@confetti/service-kit'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'publishAgain'>
  logger: Logger
}

const BATCH_SIZE = 100

/** Publishes the accounts of version 0.1 once more, for services that did not exist when they were registered. */
export const makePublishOldAccounts =
  ({ users, logger }: Deps) =>
  async (): Promise<void> => {
    const published = await users.publishAgain(BATCH_SIZE)
    if (published > 0) logger.info({ published }, 'accounts of an earlier version published again')
  }
