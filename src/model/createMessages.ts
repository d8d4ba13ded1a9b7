import { BaseAnthropic, type ClientOptions } from '@anthropic-ai/sdk/client'
import { Messages } from '@anthropic-ai/sdk/resources/messages'

/**
 * The Messages API of the SDK on a client of its own. A client with every API that the SDK knows is twice as much code to
 * load before the first request.
 */
export function createMessages(options: ClientOptions): Messages {
  return new Messages(new BaseAnthropic(options))
}
