import { useQuery } from '@tanstack/react-query'
import { Dialog } from '../../ui/dialog'
import { Skeleton } from '../../ui/panel'
import { Problem } from '../problem'
import { Answer } from './answer'
import { ask } from './ask'
import { explainUrl } from './link'

type Props = {
  /** The id of a settlement. */
  input: string
  open: boolean
  onClose: () => void
}

/** The explanation of a settlement, over the page and in place of its drawer. */
export function ExplainDialog({ input, open, onClose }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: ['explain', input],
    queryFn: () => ask({ input, paymentRequirements: '' }),
    enabled: open,
    retry: false,
  })
  return (
    <Dialog title="Explain this payment" open={open} onClose={onClose} wide covers>
      <div className="grid grid-cols-1 gap-5">
        {data ? (
          <>
            <Answer answer={data} input={input} />
            <p className="flex flex-wrap items-center gap-x-5 gap-y-2 text-sm">
              <button type="button" onClick={onClose} className="font-medium text-accent underline underline-offset-2">
                Back
              </button>
              <a href={explainUrl(input)}>Open as a page</a>
            </p>
          </>
        ) : error ? (
          <Problem error={error} retry={() => void refetch()} />
        ) : (
          <Skeleton className="h-96" />
        )}
      </div>
    </Dialog>
  )
}
