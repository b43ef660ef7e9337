import type { Command } from './commands.ts'
import { fileAt } from './files.ts'
import type { Guests } from './guests.ts'
import type { Members } from './members.ts'
import type { Sent } from './promises.ts'
import type { Reports } from './reports.ts'
import type { Sessions } from './sessions.ts'
import type { World } from './world.ts'

const credits = ['Ann', 'Bob']
const pins = ['Tulip42', 'Rose1234']
const quotas = [2, 5]
const consentTexts = ['My photos may be shown.', 'My photos may be printed.']

const sentBy = (
  { guest, credit, file }: Extract<Command, { kind: 'send' | 'send form' }>,
  eventId: string,
): Sent => ({
  eventId,
  guest: `guest-${guest}`,
  credit: credits[credit] ?? '',
  file: fileAt(file),
})

/** Does what a command says, to one of the events with these ids. */
export const perform = async (
  command: Command,
  eventIds: readonly string[],
  {
    world,
    guests,
    members,
    reports,
    sessions,
  }: { world: World; guests: Guests; members: Members; reports: Reports; sessions: Sessions },
): Promise<void> => {
  const eventId = 'event' in command ? (eventIds[command.event] ?? '') : ''
  switch (command.kind) {
    case 'send': {
      const sent = sentBy(command, eventId)
      const hash = { true: sent.file.sha256, false: fileAt(command.file + 1).sha256, none: undefined }
      return guests.send(sent, hash[command.hash], command)
    }
    case 'send form':
      return guests.sendForm(sentBy(command, eventId))
    case 'steal':
      return guests.steal(`guest-${command.guest}`, command.index)
    case 'take back':
      return guests.takeBack(command)
    case 'rename':
      return guests.rename(`guest-${command.guest}`, eventId, credits[command.credit] ?? '')
    case 'report':
      return reports.report(command.index, command.guests)
    case 'hide':
    case 'show':
    case 'delete':
      return members.changeUpload(command.kind, command.index)
    case 'close':
      return members.changeEvent(eventId, { uploads: 'closed' })
    case 'open':
      return members.changeEvent(eventId, { uploads: 'open' })
    case 'approve':
      return members.changeEvent(eventId, { moderation: 'approve' })
    case 'show all':
      return members.changeEvent(eventId, { moderation: 'off' })
    case 'allow copies':
      return members.changeEvent(eventId, { save: 'copy' })
    case 'forbid copies':
      return members.changeEvent(eventId, { save: 'off' })
    case 'set PIN':
      return members.changeEvent(eventId, { pin: pins[command.choice ?? -1] ?? null })
    case 'set consent': {
      const text = consentTexts[command.choice ?? -1]
      return members.changeEvent(eventId, { consent: text === undefined ? null : { text } })
    }
    case 'set quota':
      return members.changeEvent(eventId, { maxFiles: quotas[command.choice ?? -1] ?? null })
    case 'look':
      return guests.lookAt(`guest-${command.guest}`, eventId)
    case 'make link':
      return guests.makeLink(`guest-${command.guest}`, eventId)
    case 'end links':
      return guests.endLinks(`guest-${command.guest}`, eventId)
    case 'delete event':
      return members.deleteEvent(eventId)
    case 'add organiser':
    case 'write to admins':
    case 'forget password':
    case 'sign in':
    case 'change password':
    case 'sign out everywhere':
    case 'deactivate':
    case 'activate':
    case 'erase account':
      return members.useAccount(command, eventId)
    case 'use session':
      return sessions.use(command.use, command.session)
    case 'crash':
      world.crash(command.service)
      return
    case 'cut':
      world.cut(command.service)
      return
    case 'outage':
      world.startOutage(command.of)
      return
    case 'lose queue':
      world.loseQueue(command.queue)
      return
    case 'recover':
      return world.recover()
    case 'wait':
      return world.wait(command.seconds * 1_000)
  }
}
