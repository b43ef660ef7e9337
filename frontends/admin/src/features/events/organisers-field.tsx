import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Event } from '@confetti/contracts'
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

interface Props {
  value: readonly Organiser[]
  onChange: (organisers: readonly Organiser[]) => void
  error: string | undefined
}

/** The organisers of an event: a list with a button to remove each, and a select to add others. */
export const OrganisersField = ({ value, onChange, error }: Props) => {
  const t = useText()
  const { data: users, isFetching, isError, refetch } = useQuery(usersQuery)
  const [selectedId, setSelectedId] = useState('')
  const { target, within } = useKeepFocus<HTMLSelectElement>()
  const others = users?.filter(({ _id }) => value.every((organiser) => organiser._id !== _id)) ?? []
  const selected = others.find(({ _id }) => _id === selectedId)
  const errorMessage = isError ? t('admin.list.users.failed') : undefined
  useErrorNotice(errorMessage)
  return (
    <div className={styles.field} {...within}>
      <p className={styles.label} id="organisers">
        {t('admin.events.form.organisers')}
      </p>
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
      <div className={styles.add}>
        <SelectField
          ref={target}
          label={t('admin.events.form.addOrganiser')}
          value={selected?._id ?? ''}
          onChange={({ target: { value: id } }) => setSelectedId(id)}
          error={errorMessage ?? error}
          hint={t('admin.events.form.organisersHint')}
          aria-busy={isFetching}
        >
          <option value="">
            {isFetching ? t('admin.events.form.loadingUsers') : t('admin.events.form.chooseUser')}
          </option>
          {others.map(({ _id, email }) => (
            <option key={_id} value={_id}>
              {email}
            </option>
          ))}
        </SelectField>
        {isError ? (
          <Button
            variant="secondary"
            icon={<RotateCw size={18} aria-hidden />}
            onClick={() => void refetch()}
          >
            {t('common.retry')}
          </Button>
        ) : (
          <Button
            variant="secondary"
            icon={<Plus size={18} aria-hidden />}
            aria-disabled={!selected}
            onClick={() => {
              if (!selected) return
              onChange([...value, { _id: selected._id, email: selected.email }])
              setSelectedId('')
            }}
          >
            {t('admin.events.form.add')}
          </Button>
        )}
      </div>
    </div>
  )
}
