import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { CreateQrCode } from '../domain/create-qr-code.ts'

export interface CreateQrCodeDeps {
  createQrCode: CreateQrCode
}

export const createQrCodeRoute = ({
  createQrCode,
}: CreateQrCodeDeps): Route<typeof contracts.createQrCode> => ({
  ...contracts.createQrCode,
  handle: async ({ params, principal }) => ({
    status: 200,
    body: await createQrCode(params.eventId, principal),
  }),
})
