import { TextField } from '../../ui/fields'

type Props = { value: string; onChange: (name: string) => void; error: string | undefined; autoFocus?: boolean }

/** The name of a key, which may stay empty. */
export function NameField({ value, onChange, error, autoFocus = false }: Props) {
  return (
    <TextField
      label="Name (optional)"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      maxLength={100}
      placeholder="Production server"
      error={error}
      autoFocus={autoFocus}
    />
  )
}
