import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { CreateQrCode } from '../domain/create-qr-code.ts'

interface Deps {
  createQrCode: CreateQrCode
}

export const createQrCodeRoute = ({ createQrCode }: Deps): Route<typeof contracts.createQrCode> => ({
  ...contracts.createQrCode,
  handle: async ({ params, principal }) => ({
    status: 200,
    body: await createQrCode(params.eventId, principal),
  }),
})
