import { defineConsumer } from '@confetti/messaging'
import type { RecordAudit } from '../domain/record-audit.ts'

export interface AuditRecordedDeps {
  recordAudit: RecordAudit
}

export const auditRecordedConsumer = ({ recordAudit }: AuditRecordedDeps) =>
  defineConsumer('auth.audit-recorded', ({ data }) => recordAudit(data))
