import { randomBytes } from 'node:crypto'
import { startTcpProxy, testBackends, type TcpProxy } from '@confetti/test-kit'
import { afterAll } from '@jest/globals'
import { connect } from 'amqplib'
import { testBrokerContract } from './broker-contract.ts'

const url = testBackends().rabbitmq
const proxies: TcpProxy[] = []
afterAll(() => Promise.all(proxies.map((proxy) => proxy.close())))

testBrokerContract({
  connect: () => connect(url),
  connectCuttable: async () => {
    const proxy = await startTcpProxy(url)
    proxies.push(proxy)
    return { connection: await connect(proxy.url), cut: () => proxy.setMode('refuse') }
  },
  namespace: `t${randomBytes(6).toString('hex')}`,
})
