import { useQueryClient } from '@tanstack/react-query'
import { EventSettings, type SettingsCalls } from '@confetti/album/settings/event-settings'
import type { Event } from '@confetti/contracts'
import { useSession } from '@confetti/session'
import { Page } from '@confetti/ui/page'
import { useMailSetting } from '../../mail-setting.ts'
import { useText } from '../../texts.ts'
import { listUploadsOf } from '../uploads/uploads-api.ts'
import { BackToEvent } from './back-to-event.tsx'
import {
  addOrganiser,
  createWall,
  deleteWall,
  eventQuery,
  getCover,
  removeOrganiser,
  updateEvent,
} from './events-api.ts'

const createCalls = (eventId: string): SettingsCalls => ({
  updateEvent: (change) => updateEvent(eventId, change),
  addOrganiser: (email) => addOrganiser(eventId, email),
  removeOrganiser: (userId) => removeOrganiser(eventId, userId),
  getCover: (signal) => getCover(eventId, signal),
  createWall: () => createWall(eventId),
  deleteWall: () => deleteWall(eventId),
  listPage: listUploadsOf(eventId),
})

/** The settings of an event, all of which an admin can change. */
export const EventSettingsView = ({ event }: { event: Event }) => {
  const t = useText()
  const client = useQueryClient()
  const mail = useMailSetting()
  const userId = useSession((session) => session.user?._id)
  const showChanged = (changed: Event): void => {
    client.setQueryData(eventQuery(event._id).queryKey, { ...changed, event: changed })
    void client.invalidateQueries({ queryKey: ['events'] })
  }
  return (
    <>
      <BackToEvent eventId={event._id} />
      <Page title={t('admin.tab.settings')} lead={<bdi>{event.name}</bdi>}>
        {userId !== undefined && (
          <EventSettings
            key={userId}
            event={event}
            calls={createCalls(event._id)}
            user={{ _id: userId, isAdmin: true }}
            mail={mail}
            onChanged={showChanged}
            onLeft={() => undefined}
          />
        )}
      </Page>
    </>
  )
}
