import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '@confetti/session'

const mailQuery = queryOptions({
  queryKey: ['mail'],
  queryFn: async ({ signal }) => (await api().get('/api/auth/settings', { signal, quiet: true })).mail,
})

/** Whether the site sends mail. Undefined until it has been loaded, and if that fails. */
export const useMailSetting = (): 'on' | 'off' | undefined => useQuery(mailQuery).data
