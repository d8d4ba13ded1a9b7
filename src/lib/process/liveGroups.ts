import { signalGroup } from './endProcessGroup.ts'

/** Process groups that this process has started and not yet seen end. */
const live = new Set<number>()

/** Registers a process group; the returned function removes it. */
export function noteGroup(group: number): () => void {
  live.add(group)
  return () => void live.delete(group)
}

/** Kills all children at once, without waiting: for a process that has no time left. */
export function killLiveGroups(): void {
  for (const group of live) signalGroup(group, 'SIGKILL')
}
