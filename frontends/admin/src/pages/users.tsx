import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Page } from '@confetti/ui/page'
import { InviteForm } from '../features/users/invite-form.tsx'
import type { UnsentLink } from '../features/users/unsent-link.tsx'
import { UserList } from '../features/users/user-list.tsx'
import { useText } from '../texts.ts'

export const Users = () => {
  const t = useText()
  const client = useQueryClient()
  const [unsent, setUnsent] = useState<UnsentLink>()
  return (
    <Page title={t('admin.tab.users')} lead={t('admin.users.lead')}>
      <InviteForm
        unsent={unsent}
        onInvited={(invitation) => {
          setUnsent(invitation)
          void client.invalidateQueries({ queryKey: ['accounts'] })
        }}
      />
      <UserList onLink={setUnsent} />
    </Page>
  )
}
