import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'

export interface GetAuthSettingsDeps {
  authSettings: { registration: 'open' | 'invitation'; mail: 'on' | 'off' }
}

export const getAuthSettingsRoute = ({
  authSettings,
}: GetAuthSettingsDeps): Route<typeof contracts.getAuthSettings> => ({
  ...contracts.getAuthSettings,
  handle: () => Promise.resolve({ status: 200, body: authSettings }),
})
