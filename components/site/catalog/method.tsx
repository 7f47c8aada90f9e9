/** The HTTP method of a call. */
export function Method({ children }: { children: string }) {
  return (
    <span className="rounded-[5px] bg-code px-[0.4rem] py-[0.05rem] font-mono text-[0.72rem]/[1.5] font-semibold text-soft">
      {children}
    </span>
  )
}
