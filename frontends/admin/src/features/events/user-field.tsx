import { Button } from '@confetti/ui/button'
import { SelectField } from '@confetti/ui/field'
import { notifyError } from '@confetti/ui/notify'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { fetchUsers } from './events-api.ts'
import { useAnswer } from '../../use-answer.ts'
import styles from './user-field.module.css'

const FAILED = 'Failed to fetch users.'
const say = (): void => notifyError(FAILED)

interface Props {
  value: string
  onChange: (userId: string) => void
  error: string | undefined
}

/** Whose event it is. */
export const UserField = ({ value, onChange, error }: Props) => {
  const { retry, ...users } = useAnswer(fetchUsers, say)
  const nobody = users.status === 'there' && users.value.length === 0
  const failed = users.status === 'failed'
  const placeholder = users.status === 'waiting' ? 'Loading users...' : 'Choose a user'
  return (
    <div className={styles.field}>
      <SelectField
        label="Assign to User"
        required
        value={value}
        onChange={({ target }) => onChange(target.value)}
        error={failed ? FAILED : error}
        hint={
          nobody
            ? `There is nobody yet. The organiser has to register first, at ${location.origin}/register.`
            : 'They see the event under My Events and take its photos home.'
        }
        aria-busy={users.status === 'waiting'}
      >
        <option value="">{placeholder}</option>
        {users.status === 'there' &&
          users.value.map(({ _id, email }) => (
            <option key={_id} value={_id}>
              {email}
            </option>
          ))}
      </SelectField>
      {(failed || nobody) && (
        <Button look="quiet" size="small" icon={<RotateCw size={18} aria-hidden />} onClick={retry}>
          {failed ? 'Retry' : 'Look again'}
        </Button>
      )}
    </div>
  )
}
