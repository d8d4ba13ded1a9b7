import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import type { ToolResultContent } from '../../contracts/messages.ts'
import { withProgress } from '../../lib/async/withProgress.ts'
import { buildTool, lazySchema, type Tool, type ToolInput } from '../../Tool.ts'
import type { CallLimits } from '../transport/sendWithin.ts'
import type { ChosenTool } from './chooseTools.ts'
import { mapContent } from './mapContent.ts'
import { cleanSchema, serverText } from './serverText.ts'

export type McpOutput = { readonly content: readonly ToolResultContent[]; readonly isError: boolean }

export type ToolPort = {
  readonly server: string
  isEnabled(tool: string): boolean
  callTool(tool: string, input: ToolInput, limits: CallLimits): Promise<CallToolResult>
}

const inputSchema = lazySchema(() => z.record(z.string(), z.unknown()))

/**
 * A server's tool as one of ours. Its hints come from the server and only decide whether calls run in parallel. It is
 * never read-only for us, because `plan` mode would trust that.
 */
export function makeTool({ shownName, tool }: ChosenTool, port: ToolPort): Tool<ToolInput, McpOutput> {
  const { server } = port
  const { name, annotations = {} } = tool
  const says = serverText(tool.description ?? '')
  const description = `A tool of the MCP server "${server}".${says === '' ? '' : ` The server describes it so:\n${says}`}`
  return buildTool<ToolInput, McpOutput>({
    name: shownName,
    userFacingName: () => `${server}: ${name}`,
    searchHint: `${server} ${name}`,
    mcpInfo: { server, tool: name },
    alwaysLoad: tool._meta?.['anthropic/alwaysLoad'] === true,
    inputSchema,
    inputJSONSchema: cleanSchema(tool.inputSchema),
    maxResultSizeChars: Number.POSITIVE_INFINITY,
    description: () => description,
    isEnabled: () => port.isEnabled(name),
    isConcurrencySafe: () => annotations.readOnlyHint === true,
    isDestructive: () => annotations.destructiveHint !== false,
    subjects: () => [{ kind: 'mcp', server, tool: name }],
    activity: () => `Calling ${name} of ${server}`,
    async *call(input, context) {
      const result = yield* withProgress(context.signal, (onProgress, signal) =>
        port.callTool(name, input, { signal, onProgress }),
      )
      const content = mapContent(result, server, context.blobs)
      yield { type: 'result', data: { content, isError: result.isError === true } }
    },
    mapResult: ({ content, isError }) => ({ content, ...(isError ? { isError } : {}) }),
  })
}
