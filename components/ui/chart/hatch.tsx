/** The fill of a bar whose time is not over. */
export function Hatch({ id, color }: { id: string; color: string }) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" fill={color} fillOpacity="0.25" />
      <rect width="3" height="6" fill={color} fillOpacity="0.75" />
    </pattern>
  )
}
