// Server reflection as grpcurl uses it: both versions, all services, and files from which a message can be read.
import {
  type ClientDuplexStream,
  credentials,
  loadPackageDefinition,
  type ServiceClientConstructor,
} from '@grpc/grpc-js'
import { fromJSON } from '@grpc/proto-loader'
import { pino } from 'pino'
import t from 'tap'
import { createRegistryServer } from '../../src/registry/service.ts'

interface Answer {
  readonly list_services_response?: { readonly service: readonly { readonly name: string }[] }
  readonly file_descriptor_response?: { readonly file_descriptor_proto: readonly Buffer[] }
  readonly error_response?: { readonly error_code: number }
}

/** Field numbers of grpc.reflection.v1 and v1alpha: https://github.com/grpc/grpc/blob/master/src/proto/grpc/reflection/v1/reflection.proto */
function reflectionPackage(version: string) {
  const string = (id: number) => ({ id, type: 'string' })
  const nested = {
    ServerReflectionRequest: { fields: { file_containing_symbol: string(4), list_services: string(7) } },
    FileDescriptorResponse: { fields: { file_descriptor_proto: { id: 1, type: 'bytes', rule: 'repeated' } } },
    ServiceResponse: { fields: { name: string(1) } },
    ListServiceResponse: { fields: { service: { id: 1, type: 'ServiceResponse', rule: 'repeated' } } },
    ErrorResponse: { fields: { error_code: { id: 1, type: 'int32' } } },
    ServerReflectionResponse: {
      fields: {
        file_descriptor_response: { id: 4, type: 'FileDescriptorResponse' },
        list_services_response: { id: 6, type: 'ListServiceResponse' },
        error_response: { id: 7, type: 'ErrorResponse' },
      },
    },
    ServerReflection: {
      methods: {
        ServerReflectionInfo: {
          requestType: 'ServerReflectionRequest',
          requestStream: true,
          responseType: 'ServerReflectionResponse',
          responseStream: true,
        },
      },
    },
  }
  return fromJSON({ nested: { grpc: { nested: { reflection: { nested: { [version]: { nested } } } } } } } as never, {
    keepCase: true,
  })
}

for (const version of ['v1', 'v1alpha']) {
  t.test(version, async (t) => {
    const server = await createRegistryServer({ address: '127.0.0.1:0', log: pino({ level: 'silent' }) })
    t.teardown(() => server.close(0))
    const loaded = loadPackageDefinition(reflectionPackage(version)) as unknown as {
      grpc: { reflection: Record<string, { ServerReflection: ServiceClientConstructor }> }
    }
    const Client = loaded.grpc.reflection[version]?.ServerReflection
    if (Client === undefined) throw new Error(version)
    const client = new Client(server.address, credentials.createInsecure())
    t.teardown(() => client.close())
    const ask = (request: object): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const call = (
          client as unknown as { ServerReflectionInfo(): ClientDuplexStream<object, Answer> }
        ).ServerReflectionInfo()
        call.on('data', resolve).on('error', reject)
        call.write(request)
        call.end()
      })
    const services = (await ask({ list_services: '*' })).list_services_response?.service.map(({ name }) => name)
    t.same(services?.filter((name) => !name.startsWith('grpc.reflection')).sort(), [
      'api.ExperimentalRegistry',
      'api.Registry',
      'grpc.health.v1.Health',
    ])
    for (const symbol of ['api.Registry', 'api.Bundle', 'grpc.health.v1.Health', 'google.protobuf.Struct']) {
      const files =
        (await ask({ file_containing_symbol: symbol })).file_descriptor_response?.file_descriptor_proto ?? []
      t.ok(files.length > 0, symbol)
      t.ok(
        files.some((file) => file.includes(symbol.split('.').at(-1) ?? '')),
        symbol,
      )
    }
    t.match(await ask({ file_containing_symbol: 'none.Such' }), { error_response: { error_code: 5 } })
  })
}
