import { useState, type ComponentProps } from 'react'
import { useQuery } from '@tanstack/react-query'
import { MAX_ORGANISERS, type Event } from '@confetti/contracts'
import { Button, IconButton } from '@confetti/ui/button'
import { SelectField } from '@confetti/ui/field'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { useErrorNotice } from '@confetti/ui/notify'
import Plus from 'lucide-react/icons/plus'
import RotateCw from 'lucide-react/icons/rotate-cw'
import X from 'lucide-react/icons/x'
import { useText } from '../../texts.ts'
import { usersQuery } from './events-api.ts'
import styles from './organisers-field.module.css'

type Organiser = Event['eventFor']

interface SelectProps extends Omit<ComponentProps<typeof SelectField>, 'onChange' | 'children'> {
  /** Undefined until they have been loaded. */
  users: readonly Organiser[] | undefined
  isLoading: boolean
  onChange: (userId: string) => void
}

const UserSelect = ({ users, isLoading, onChange, ...field }: SelectProps) => {
  const t = useText()
  return (
    <SelectField {...field} aria-busy={isLoading} onChange={({ target }) => onChange(target.value)}>
      <option value="">
        {t(isLoading ? 'admin.events.form.loadingUsers' : 'admin.events.form.chooseUser')}
      </option>
      {users?.map(({ _id, email }) => (
        <option key={_id} value={_id}>
          {email}
        </option>
      ))}
    </SelectField>
  )
}

/** The users to whom an event can be assigned. Shows a notice if they cannot be loaded. */
const useUsers = () => {
  const t = useText()
  const { data: users, isFetching, isError, refetch } = useQuery(usersQuery)
  const failure = isError ? t('admin.list.users.failed') : undefined
  useErrorNotice(failure)
  return { users, isLoading: isFetching, failure, reload: (): void => void refetch() }
}

interface Props<T> {
  value: T
  onChange: (value: T) => void
  error: string | undefined
}

/** Selects the user to whom the event is assigned. */
export const UserField = ({ value, onChange, error }: Props<string>) => {
  const t = useText()
  const { users, isLoading, failure, reload } = useUsers()
  const { target, within } = useKeepFocus<HTMLSelectElement>()
  const hasNoUsers = users?.length === 0
  return (
    <div className={styles.user} {...within}>
      <UserSelect
        ref={target}
        label={t('admin.events.form.user')}
        required
        users={users}
        isLoading={isLoading}
        value={value}
        onChange={onChange}
        error={failure ?? error}
        hint={
          hasNoUsers
            ? t('admin.events.form.noUsers', { address: `${location.origin}/register` })
            : t('admin.events.form.userHint')
        }
      />
      {(failure !== undefined || hasNoUsers) && (
        <Button variant="secondary" size="small" icon={<RotateCw size={18} aria-hidden />} onClick={reload}>
          {t(failure === undefined ? 'admin.events.form.refresh' : 'common.retry')}
        </Button>
      )}
    </div>
  )
}

interface OrganisersProps extends Props<readonly Organiser[]> {
  label: string
  /** Who cannot be added. */
  excludedId?: string
  /** How many there can be. */
  max?: number
}

/** The organisers of an event: a list with a button to remove each, and a select to add others. */
export const OrganisersField = ({
  value,
  onChange,
  error,
  label,
  excludedId,
  max = MAX_ORGANISERS,
}: OrganisersProps) => {
  const t = useText()
  const { users, isLoading, failure, reload } = useUsers()
  const [selectedId, setSelectedId] = useState('')
  const { target, within } = useKeepFocus<HTMLSelectElement>()
  const isFull = value.length >= max
  const others =
    users?.filter(({ _id }) => _id !== excludedId && value.every((organiser) => organiser._id !== _id)) ?? []
  const selected = others.find(({ _id }) => _id === selectedId)
  const add = (): void => {
    if (!selected || isFull) return
    onChange([...value, { _id: selected._id, email: selected.email }])
    setSelectedId('')
  }
  return (
    <div className={styles.field} {...within}>
      <p className={styles.label} id="organisers">
        {label}
      </p>
      {value.length > 0 && (
        <ul className={styles.list} aria-labelledby="organisers">
          {value.map(({ _id, email }) => (
            <li key={_id}>
              <bdi>{email}</bdi>
              <IconButton
                variant="ghost"
                label={t('admin.events.form.removeOrganiser', { email })}
                onClick={() => onChange(value.filter((organiser) => organiser._id !== _id))}
              >
                <X size={20} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.add}>
        <UserSelect
          ref={target}
          label={t('admin.events.form.addOrganiser')}
          users={others}
          isLoading={isLoading}
          value={selected?._id ?? ''}
          onChange={setSelectedId}
          error={failure ?? error}
          hint={
            isFull
              ? t('admin.events.form.organisersFull', { max: MAX_ORGANISERS })
              : t('admin.events.form.organisersHint')
          }
        />
        {failure === undefined ? (
          <Button
            variant="secondary"
            icon={<Plus size={18} aria-hidden />}
            aria-disabled={!selected || isFull}
            onClick={add}
          >
            {t('admin.events.form.add')}
          </Button>
        ) : (
          <Button variant="secondary" icon={<RotateCw size={18} aria-hidden />} onClick={reload}>
            {t('common.retry')}
          </Button>
        )}
      </div>
    </div>
  )
}
