type Props = { size: number; color: string; ground: string }

/** The logo in a preview picture, which knows no variables of CSS. Its empty margin lies left of the text. */
export function PictureMark({ size, color, ground }: Props) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" style={{ marginLeft: (-6 / 32) * size }} aria-hidden="true">
      <path fill={color} d="M6 3h20v26l-3.3-2.4L19.3 29 16 26.6 12.7 29l-3.4-2.4L6 29z" />
      <path
        fill="none"
        stroke={ground}
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="m10.8 14.6 3.6 3.6 6.8-7.4"
      />
    </svg>
  )
}
