import type { Deps } from '../deps.ts'
import { createAcceptance } from './acceptance.ts'
import { createCompletion } from './complete-uploads.ts'
import { createForms } from './form/forms.ts'
import { createOpenTickets } from './guest-limits.ts'
import { createQuotas } from './quotas.ts'
import { createTicketRequests } from './request-tickets.ts'
import { createTickets } from './tickets.ts'

/** How guests send files: by tickets straight to blob storage, or in forms. */
export const createSending = (deps: Deps) => {
  const quotas = createQuotas(deps)
  const acceptUploads = createAcceptance(deps, quotas)
  const tickets = createTickets(deps)
  const openTickets = createOpenTickets(deps.guestLimits)
  const { requestTickets, resume } = createTicketRequests(deps, { tickets, openTickets, quotas })
  const complete = createCompletion(deps, { tickets, openTickets, acceptUploads })
  /** The call, made when there is a slot. */
  const inSlot =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      deps.callSlots.run(() => call(...args))
  return {
    requestTickets: inSlot(requestTickets),
    resume: inSlot(resume),
    complete: inSlot(complete),
    receiveForm: createForms(deps, acceptUploads),
  }
}
export type Sending = ReturnType<typeof createSending>
