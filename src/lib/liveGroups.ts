import { signalGroup } from './endProcessGroup.ts'

/** Groups of children that this process has started and not yet seen end. */
const live = new Set<number>()

/** Notes a group of children; the function that is returned forgets it. */
export function noteGroup(group: number): () => void {
  live.add(group)
  return () => void live.delete(group)
}

/** Kills all children at once, without waiting: for a process that has no time left. */
export function killLiveGroups(): void {
  for (const group of live) signalGroup(group, 'SIGKILL')
}
