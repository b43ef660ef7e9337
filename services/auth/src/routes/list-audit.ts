import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ListAudit } from '../domain/list-audit.ts'

export interface ListAuditDeps {
  listAudit: ListAudit
}

export const listAuditRoute = ({ listAudit }: ListAuditDeps): Route<typeof contracts.listAudit> => ({
  ...contracts.listAudit,
  handle: async ({ query }) => ({ status: 200, body: await listAudit(query) }),
})
