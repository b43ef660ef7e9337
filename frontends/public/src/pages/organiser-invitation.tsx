import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import { useLocation, useNavigate } from '@confetti/federation/router'
import { api, getRole, signOut, useSession } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { useForm } from '@confetti/ui/field-errors'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { notify } from '@confetti/ui/notify'
import { Page } from '@confetti/ui/page'
import { sendToken, useInvitation } from '../features/account/use-invitation.ts'
import styles from './account.module.css'
import { getText, useText } from '../owner-texts.ts'

const readInvitation = (token: string, signal: AbortSignal) =>
  requestWithTimeout(signal, (callSignal) =>
    api().post('/api/organiser-invitations/details', { body: { token }, quiet: true, signal: callSignal }),
  )

/** Makes the signed-in user an organiser of the event whose invitation has its token in the fragment of the address. */
export const OrganiserInvitation = () => {
  const token = new URLSearchParams(useLocation().hash.slice(1)).get('token')
  const navigate = useNavigate()
  const t = useText()
  const user = useSession((session) => session.user)
  const { details, isInvalid, setInvalid } = useInvitation(token, readInvitation)
  const { isBusy, send } = useForm()
  if (!user) return null
  const accept = async (): Promise<void> => {
    const body = { token: token ?? '' }
    const answer = await sendToken(() => api().post('/api/organiser-invitations', { body }), setInvalid)
    if (!answer) return
    const { event } = answer
    notify({ message: getText('account.organise.done', { event: event.name }) })
    const list = getRole(user) === 'admin' ? '/events' : '/myevents'
    // Replaces the address, so that the token does not stay in the history.
    void navigate(`${list}/${event._id}`, { replace: true })
  }
  const changeAccount = (): void => {
    void signOut().catch(() => undefined)
    // The sign-in leads back here.
    useSession.setState({ signedOutByUser: false })
  }

  return (
    <KeepFocus>
      {isInvalid ? (
        <Page title={t('account.linkInvalid')}>
          <p>{t('account.organise.invalid')}</p>
        </Page>
      ) : (
        <Page
          title={t('account.organise')}
          lead={
            details
              ? t('account.organise.by', { inviter: details.invitedBy, event: details.event.name })
              : t('account.organise.text')
          }
        >
          <Card className={styles.card}>
            {details && details.email !== user.email && (
              <p>{t('account.organise.sentTo', { email: details.email })}</p>
            )}
            <p>{t('account.organise.as', { email: user.email })}</p>
            <div className={styles.actions}>
              <Button aria-disabled={isBusy} onClick={() => void send(accept)}>
                {t('account.organise.submit')}
              </Button>
              <Button variant="outline" onClick={changeAccount}>
                {t('account.organise.other')}
              </Button>
            </div>
          </Card>
        </Page>
      )}
    </KeepFocus>
  )
}
