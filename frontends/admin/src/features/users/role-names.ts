import type { Role } from '@confetti/contracts'
import type { TextId } from '../../texts.ts'

export const roleNames: Readonly<Record<Role, TextId>> = {
  user: 'admin.users.role.organiser',
  admin: 'admin.users.role.admin',
}
