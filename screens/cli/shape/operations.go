package shape

// The schemas of single operations.
const (
	ValidationSchema     Schema = "paydesk.validate/1"
	FinalizationSchema   Schema = "paydesk.finalize/1"
	AuthenticationSchema Schema = "paydesk.authenticate/1"
)

// Validation is which channels can be used for an amount.
type Validation struct {
	Schema Schema `json:"schema"`
	Amount *Money `json:"amount"`
	// Valid is whether the service accepts the amount and the channels that were asked about.
	Valid    bool      `json:"valid"`
	Channels []Channel `json:"channels"`
	// Message is what the service says.
	Message string `json:"message,omitempty"`
}

// Channel is one way to pay.
type Channel struct {
	// Alias is how a payment names it; absent where the service sent none that can be used.
	Alias       string `json:"alias,omitempty"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// Finalization is the answer to a finalize. It is never the payment's status.
type Finalization struct {
	Schema    Schema `json:"schema"`
	Reference string `json:"reference"`
	// Accepted is true: what was refused or is unresolved has no object, but an exit code.
	Accepted bool `json:"accepted"`
	// Word is the service's own word for it, such as completed.
	Word    string `json:"word,omitempty"`
	Message string `json:"message,omitempty"`
}

// Authentication is whether the customer of a card payment must authenticate at their bank.
type Authentication struct {
	Schema       Schema `json:"schema"`
	Reference    string `json:"reference"`
	AsksCustomer bool   `json:"asks_customer"`
	// Status is the service's word for the check; it is no status of the payment.
	Status string `json:"status,omitempty"`
	// ResponseCode is the service's code, such as 00.
	ResponseCode   string `json:"response_code,omitempty"`
	Recommendation string `json:"recommendation,omitempty"`
	Message        string `json:"message,omitempty"`
	// URL is where the customer authenticates, if the initiation named one.
	URL string `json:"url,omitempty"`
	// PageBytes is the size of the page for the customer's browser; absent where there is none.
	PageBytes int `json:"page_bytes,omitempty"`
}
