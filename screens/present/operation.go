package present

import "paydesk/api"

// OperationName names what the service was asked, as a heading.
func OperationName(op api.Operation) string { return operationNames[op] }

var operationNames = map[api.Operation]string{
	api.OpInitiate: "Initiation", api.OpCreateLink: "Link creation", api.OpValidateChannels: "Channel validation",
	api.OpAuthenticate: "Authentication check", api.OpFinalize: "Finalize", api.OpTransaction: "Status check",
	api.OpTransactions: "Transactions list",
}
