import { useMutation, useQueryClient } from '@tanstack/react-query'
import { noticeFailure } from '../../client/notice-failure'
import { useTRPC } from '../../client/trpc'
import { notice } from '../../ui/notice'

/** What an operator does with incidents. The list is read again after each; failures of forms show in them. */
export function useIncidents() {
  const { admin } = useTRPC()
  const queries = useQueryClient()
  const done = (said: string) => ({
    onSuccess: () => {
      notice.success(said)
      return queries.invalidateQueries(admin.incidents.list.pathFilter())
    },
  })
  return {
    open: useMutation(admin.incidents.open.mutationOptions(done('Published on the status page.'))),
    update: useMutation(admin.incidents.update.mutationOptions(done('Update published.'))),
    resolve: useMutation(admin.incidents.resolve.mutationOptions(done('Incident resolved.'))),
    remove: useMutation(admin.incidents.remove.mutationOptions({ ...done('Incident deleted.'), onError: noticeFailure })),
  }
}
