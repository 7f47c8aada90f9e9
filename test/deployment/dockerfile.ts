/** One instruction of a Dockerfile, with continued lines joined. */
export type Instruction = { keyword: string; rest: string }

/** One stage: its base image and its instructions. */
export type Stage = { name: string; from: string; instructions: Instruction[] }

/** The stages of a Dockerfile, in order. Throws for a stage without a name. */
export function stagesOf(text: string): Stage[] {
  const stages: Stage[] = []
  for (const line of text.replaceAll(/\\\n\s*/g, '').split('\n')) {
    const [, keyword = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (keyword === 'FROM') stages.push(stageOf(rest))
    else if (keyword !== '') stages.at(-1)?.instructions.push({ keyword, rest })
  }
  return stages
}

function stageOf(rest: string): Stage {
  const [, from, name] = /^(\S+) AS (\S+)$/.exec(rest) ?? []
  if (from === undefined || name === undefined) throw new Error(`a stage has no name: ${rest}`)
  return { name, from, instructions: [] }
}

/** One COPY: from another stage, or from the build context if `from` is null. `owner` is its `--chown`. */
export type Copied = { from: string | null; owner: string | null; sources: string[]; to: string }

/** What a COPY says. */
export function copyOf(rest: string): Copied {
  const words = rest.split(' ')
  const flag = (name: string) => words.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3) ?? null
  const paths = words.filter((one) => !one.startsWith('--'))
  return { from: flag('from'), owner: flag('chown'), sources: paths.slice(0, -1), to: paths.at(-1) ?? '' }
}

/** The COPY instructions of a stage. */
export const copiesOf = ({ instructions }: Stage): Copied[] =>
  instructions.filter(({ keyword }) => keyword === 'COPY').map(({ rest }) => copyOf(rest))
