import { z } from 'zod'

export const socketSchema = z.object({ socket_id: z.string().max(60) })
export const channelSchema = socketSchema.extend({ channel_name: z.string().max(200) })
