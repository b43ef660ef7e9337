import { useQuery } from '@tanstack/react-query'
import { Button } from '@confetti/ui/button'
import { SelectField } from '@confetti/ui/field'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { useErrorNotice } from '@confetti/ui/notify'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { usersQuery } from './events-api.ts'
import styles from './user-field.module.css'

const ERROR_MESSAGE = 'Failed to fetch users.'

interface Props {
  value: string
  onChange: (userId: string) => void
  error: string | undefined
}

/** Selects the user to whom the event is assigned. */
export const UserField = ({ value, onChange, error }: Props) => {
  const { data: users, isFetching, isError, refetch } = useQuery(usersQuery)
  const { target, within } = useKeepFocus<HTMLSelectElement>()
  const hasNoUsers = users?.length === 0
  useErrorNotice(isError ? ERROR_MESSAGE : undefined)
  return (
    <div className={styles.field} {...within}>
      <SelectField
        ref={target}
        label="Assign to User"
        required
        value={value}
        onChange={({ target }) => onChange(target.value)}
        error={isError ? ERROR_MESSAGE : error}
        hint={
          hasNoUsers
            ? `There are no users yet. The organiser has to register first, at ${location.origin}/register.`
            : 'The event appears under their My Events, where they can download its photos.'
        }
        aria-busy={isFetching}
      >
        <option value="">{isFetching ? 'Loading users...' : 'Choose a user'}</option>
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
          {isError ? 'Retry' : 'Refresh'}
        </Button>
      )}
    </div>
  )
}
