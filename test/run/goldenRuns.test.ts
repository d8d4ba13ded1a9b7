import { playGolden } from '../helpers/runs/playGolden.ts'

for (const subject of ['agents', 'budgets', 'calls', 'endings', 'outputs', 'resumed', 'starts']) playGolden(subject)
