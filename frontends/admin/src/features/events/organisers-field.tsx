import { useState, type ComponentProps } from 'react'
import { useQuery } from '@tanstack/react-query'
import { MAX_ORGANISERS, type Event } from '@confetti/contracts'
import { Button, IconButton } from '@confetti/ui/button'
import { TextField } from '@confetti/ui/field'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { useErrorNotice } from '@confetti/ui/notify'
import { SelectField } from '@confetti/ui/select-field'
import Plus from 'lucide-react/icons/plus'
import RotateCw from 'lucide-react/icons/rotate-cw'
import X from 'lucide-react/icons/x'
import { useText } from '../../texts.ts'
import { FoundCount } from '../paged-list/paged-list.tsx'
import { usersQuery } from './events-api.ts'
import styles from './organisers-field.module.css'

type Organiser = Event['eventFor']

interface SelectProps extends Omit<ComponentProps<typeof SelectField>, 'onChange' | 'children'> {
  /** Undefined until they have been loaded. */
  users: readonly Organiser[] | undefined
  isLoading: boolean
  /** How many users match the search; undefined without one. */
  foundCount: number | undefined
  onChange: (userId: string) => void
}

const UserSelect = ({ users, isLoading, foundCount, onChange, ...field }: SelectProps) => {
  const t = useText()
  const choose = t('admin.events.form.chooseUser')
  // Until it is opened, nothing else of it shows what the search has found.
  const found = foundCount ? `${choose} · ${t('admin.list.found', { count: foundCount })}` : choose
  const placeholder = foundCount === 0 ? t('admin.users.empty.title') : found
  return (
    <SelectField {...field} aria-busy={isLoading} onChange={({ target }) => onChange(target.value)}>
      <option value="">{isLoading ? t('admin.events.form.loadingUsers') : placeholder}</option>
      {users?.map(({ _id, email }) => (
        <option key={_id} value={_id}>
          {email}
        </option>
      ))}
    </SelectField>
  )
}

/** The users to whom an event can be assigned, and a search among them. Shows a notice if they cannot be loaded. */
const useUsers = () => {
  const t = useText()
  const [search, setSearch] = useState('')
  const { data: users, isFetching, isError, refetch } = useQuery(usersQuery)
  const failure = isError ? t('admin.list.users.failed') : undefined
  useErrorNotice(failure)
  const text = search.trim().toLowerCase()
  return {
    users,
    isLoading: isFetching,
    failure,
    reload: (): void => void refetch(),
    search,
    setSearch,
    matches: ({ email }: Organiser): boolean => email.toLowerCase().includes(text),
  }
}

interface SearchProps extends Pick<ReturnType<typeof useUsers>, 'search' | 'setSearch'> {
  label: string
  /** How many match; undefined without a search. */
  count: number | undefined
}

/** Searches the users that a select offers. */
const UserSearch = ({ search, setSearch, label, count }: SearchProps) => (
  <>
    <TextField
      label={label}
      type="search"
      autoComplete="off"
      value={search}
      onChange={({ target }) => setSearch(target.value)}
      // Enter would send the form.
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault()
      }}
    />
    <FoundCount count={count} />
  </>
)

interface Props<T> {
  value: T
  onChange: (value: T) => void
  error: string | undefined
}

/** Selects the user to whom the event is assigned. */
export const UserField = ({ value, onChange, error }: Props<string>) => {
  const t = useText()
  const { users, isLoading, failure, reload, search, setSearch, matches } = useUsers()
  const { target, within } = useKeepFocus<HTMLSelectElement>()
  const hasNoUsers = users?.length === 0
  const foundCount = search.trim() && !hasNoUsers ? users?.filter(matches).length : undefined
  return (
    <div className={styles.user} {...within}>
      <UserSearch
        label={t('admin.events.form.searchUser')}
        search={search}
        setSearch={setSearch}
        count={foundCount}
      />
      <UserSelect
        ref={target}
        label={t('admin.events.form.user')}
        required
        // Who is chosen stays, whatever is searched.
        users={users?.filter((user) => user._id === value || matches(user))}
        foundCount={foundCount}
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
  const { users, isLoading, failure, reload, search, setSearch, matches } = useUsers()
  const [selectedId, setSelectedId] = useState('')
  const { target, within } = useKeepFocus<HTMLSelectElement>()
  const isFull = value.length >= max
  const others =
    users?.filter(({ _id }) => _id !== excludedId && value.every((organiser) => organiser._id !== _id)) ?? []
  const foundCount = search.trim() && others.length > 0 ? others.filter(matches).length : undefined
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
      <UserSearch
        label={t('admin.events.form.searchOrganiser')}
        search={search}
        setSearch={setSearch}
        count={foundCount}
      />
      <div className={styles.add}>
        <UserSelect
          ref={target}
          label={t('admin.events.form.addOrganiser')}
          users={others.filter((user) => user === selected || matches(user))}
          foundCount={foundCount}
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
