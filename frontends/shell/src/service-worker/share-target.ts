import { registerRoute } from 'workbox-routing'
import { receiveShare } from './receive-share.ts'

/** Receives what the phone's gallery shares with the installed app, as the manifest offers in `share_target`. */
export const serveShareTarget = (): void => {
  registerRoute(
    ({ url }) => url.origin === location.origin && url.pathname === '/share',
    ({ request }) => receiveShare(request),
    'POST',
  )
}
