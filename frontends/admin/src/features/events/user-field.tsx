import { useQuery } from '@tanstack/react-query'
import { Button } from '@confetti/ui/button'
import { SelectField } from '@confetti/ui/field'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { useErrorNotice } from '@confetti/ui/notify'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { useText } from '../../texts.ts'
import { usersQuery } from './events-api.ts'
import styles from './user-field.module.css'

interface Props {
  value: string
  onChange: (userId: string) => void
  error: string | undefined
}

/** Selects the user to whom the event is assigned. */
export const UserField = ({ value, onChange, error }: Props) => {
  const t = useText()
  const { data: users, isFetching, isError, refetch } = useQuery(usersQuery)
  const { target, within } = useKeepFocus<HTMLSelectElement>()
  const hasNoUsers = users?.length === 0
  const errorMessage = isError ? t('admin.list.users.failed') : undefined
  useErrorNotice(errorMessage)
  return (
    <div className={styles.field} {...within}>
      <SelectField
        ref={target}
        label={t('admin.events.form.user')}
        required
        value={value}
        onChange={({ target }) => onChange(target.value)}
        error={errorMessage ?? error}
        hint={
          hasNoUsers
            ? t('admin.events.form.noUsers', { address: `${location.origin}/register` })
            : t('admin.events.form.userHint')
        }
        aria-busy={isFetching}
      >
        <option value="">
          {isFetching ? t('admin.events.form.loadingUsers') : t('admin.events.form.chooseUser')}
        </option>
        {users?.map(({ _id, email }) => (
          <option key={_id} value={_id}>
            {email}
          </option>
        ))}
      </SelectField>
      {(isError || hasNoUsers) && (
        <Button
          variant="secondary"
          size="small"
          icon={<RotateCw size={18} aria-hidden />}
          onClick={() => void refetch()}
        >
          {isError ? t('common.retry') : t('admin.events.form.refresh')}
        </Button>
      )}
    </div>
  )
}
