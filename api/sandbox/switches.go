package sandbox

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Switch is one thing the specification does not show, or shows in two ways, and what the
// sandbox does there.
type Switch struct {
	Name    string   `json:"name"`
	Value   string   `json:"value"`
	Default string   `json:"default"`          // what the specification says, or what is nearest to it
	Values  []string `json:"values,omitempty"` // what it accepts; any word of up to 64 printable ASCII characters when nil
	Does    string   `json:"does"`             // one line for people
	Topic   string   `json:"topic"`            // the assumption it changes
}

// The names of the switches.
const (
	switchPaid       = "transfer.paid"
	switchKeyHeader  = "key.header"
	switchKeyPrefix  = "key.prefix"
	switchSuccess    = "http.success"
	switchRefusal    = "http.refusal"
	switchErrorBody  = "error.body"
	switchNotFound   = "error.not-found"
	switchIsSuccess  = "envelope.is-success"
	switchEmpty      = "envelope.empty"
	switchCode       = "envelope.response-code"
	switchNumbers    = "numbers"
	switchUnits      = "units." // and the name of an operation
	switchInitiated  = "status.initiated"
	switchChallenge  = "status.challenge"
	switchOffline    = "status.offline"
	switchPending    = "status.pending"
	switchSuccessful = "status.successful"
	switchFailed     = "status.failed"
	switchStatus     = "status.always"
	switchFinalized  = "finalize.status"
	switchInitiation = "initiate.extras"
	switchMetaData   = "initiate.metadata"
	switchLinkStatus = "link.status"
	switchReusable   = "link.reusable"
	switchOneTime    = "link.one-time"
	switchLinkExtras = "link.extras"
	switchOffset     = "link.created-offset"
	switchFraction   = "link.created-digits"
	switchWebhook    = "webhook.style"
	switchWhen       = "faults.when"
	switchKeeps      = "hostile.keeps"
	switchReadable   = "hostile.wire"
)

// Values of switches.
const (
	isOn       = "on"
	isOff      = "off"
	isRequired = "required"
	isOptional = "optional"
	isMissing  = "missing"
	isPresent  = "present"
	isMajor    = "major"
	isMinor    = "minor"
	isNull     = "null"
	isAsIs     = "as-is"
	isOnDemand = "on-demand"
)

// switchTable lists all switches. The first value is the default.
func switchTable() []Switch {
	one := func(topic, name, does string, values ...string) Switch {
		return Switch{Topic: topic, Name: name, Default: values[0], Values: values, Does: does}
	}
	word := func(topic, name, value, does string) Switch {
		return Switch{Topic: topic, Name: name, Default: value, Does: does}
	}
	table := []Switch{
		one("transfer at verification", switchPaid, "whether a new transfer is paid by itself after the settle time, or only on demand", "by-itself", isOnDemand),
		word("key", switchKeyHeader, KeyHeader, "the header the secret key goes in"),
		one("key", switchKeyPrefix, "whether a key must start with "+testPrefix, isOptional, isRequired),
		one("errors", switchSuccess, "the HTTP status of a success", "200", "201"),
		one("errors", switchRefusal, "the HTTP status of a refusal: depending on the reason, or always the same", "by-reason", "200", "400", "422"),
		one("errors", switchErrorBody, "the body of a refusal: the envelope, a bare problem document (A), or failures (B)", "envelope", "A", "B"),
		one("errors", switchNotFound, "the response to an unknown reference: a refusal, or isSuccess true with value null", "refusal", isNull),
		one("errors", switchIsSuccess, "whether responses have isSuccess", isPresent, isMissing),
		one("errors", switchEmpty, "how error, message, type, title, status, detail, instance and responseCode are written when empty", isAsIs, isNull, "absent", "text"),
		one("response codes", switchCode, "responseCode of a success", codeDone, isNull, "absent"),
		one("units", switchNumbers, "the notation of amounts in major units: 12.00, 12, or \"12.00\"", "decimals", "short", "quoted"),
		word("status words", switchInitiated, wordInitiated, "the word for an initiated payment"),
		word("status words", switchChallenge, wordInitiated, "the word at initiation when there is a challenge (REQUIRE_BANK_AUTH, REQUIRED_BANK_AUTH)"),
		word("status words", switchOffline, wordOffline, "the word at initiation of a transfer"),
		word("status words", switchPending, wordPending, "the word for a pending payment (Pending, InProgress)"),
		word("status words", switchSuccessful, wordSuccessful, "the word for a successful payment (SUCCESSFUL, Successful)"),
		word("status words", switchFailed, wordFailed, "the word for a failed payment (Failed)"),
		word("status words", switchStatus, "", "the status returned for every payment; empty for the true one"),
		word("finalize", switchFinalized, wordCompleted, "value.status of finalize (Successful)"),
		one("further fields", switchInitiation, "whether initiation adds requiresAction and paymentItem.totalAmount", isOff, isOn),
		one("metadata", switchMetaData, "what metaData of an initiation may contain", "strings", "anything"),
		word("link answers", switchLinkStatus, wordNew, "the status of a new link (Active)"),
		one("link answers", switchReusable, "the word for a reusable link", wordReusable, "Reusable"),
		one("link answers", switchOneTime, "the word for a one-time link", wordOneTime, "One-time"),
		one("further fields", switchLinkExtras, "whether a link adds amountType, supportEmail and logo", isOff, isOn),
		one("link answers", switchOffset, "whether createdDate has an offset", isPresent, isMissing),
		one("link answers", switchFraction, "the number of fractional digits of createdDate", "0", "1", "2", "3", "4", "5", "6", "7"),
		one("webhooks", switchWebhook, "the format of webhooks: the specification's, or one of those that have been seen",
			string(webhookSpec), string(webhookOfficial), string(webhookCamel), string(webhookContradictory)),
		one("faults", switchWhen, "when faults apply: as listed, before the request is carried out, or after", "as-listed", whenBefore, whenAfter),
		one("hostile text", switchKeeps, "what hostile text leaves alone: nothing, or reference, paymentReference, alias, paymentStatus, currency and currencyCode", "nothing", "identifiers"),
		one("hostile text", switchReadable, "the corpus of hostile text: all of it, or only what leaves responses readable", "all", "readable"),
	}
	for _, name := range []string{"initiate", "link", "validate", "transaction"} {
		table = append(table, one("units", switchUnits+name, "the units of amounts in "+name, isMajor, isMinor))
	}
	return append(table, one("units", switchUnits+"transactions", "the units of amounts in transactions", isMinor, isMajor))
}

// switchValues holds the values by switch name.
type switchValues struct {
	values     map[string]string
	customized bool // any value differs from its default
}

// defaultSwitches follow the specification.
func defaultSwitches() switchValues {
	s := switchValues{values: map[string]string{}}
	for _, w := range switchTable() {
		s.values[w.Name] = w.Default
	}
	return s
}

func (s switchValues) of(name string) string { return s.values[name] }

func (s switchValues) is(name, value string) bool { return s.values[name] == value }

// Switches lists all switches with their values.
func (s *Sandbox) Switches() []Switch {
	s.mu.Lock()
	defer s.mu.Unlock()
	table := switchTable()
	for i := range table {
		table[i].Value = s.switches.of(table[i].Name)
	}
	return table
}

// ErrNoSwitch is SetSwitch's error for an unknown name.
var ErrNoSwitch = errors.New("there is no switch of this name")

// SetSwitch sets one switch. Its errors say what the switch accepts and do not quote the
// value.
func (s *Sandbox) SetSwitch(name, value string) error {
	table := switchTable()
	i := slices.IndexFunc(table, func(w Switch) bool { return w.Name == name })
	if i < 0 {
		return ErrNoSwitch
	}
	if err := table[i].check(value); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.switches.set(name, value)
	return nil
}

func (s *switchValues) set(name, value string) {
	s.values[name] = value
	s.customized = !maps.Equal(s.values, defaultSwitches().values)
}

// check validates a value.
func (w Switch) check(value string) error {
	switch {
	case w.Values != nil && !slices.Contains(w.Values, value):
		return fmt.Errorf("%s must be one of: %s", w.Name, strings.Join(w.Values, ", "))
	case w.Values == nil && value == w.Default:
		return nil
	case w.Name == switchKeyHeader && (value == "" || strings.Trim(value, headerChars) != ""):
		return fmt.Errorf("%s must be a header name: letters, digits and -", w.Name)
	case value == "" || len(value) > maxWord || strings.Trim(value, " ") != value || !plainASCII(strings.ReplaceAll(value, " ", "")):
		return fmt.Errorf("%s must be 1 to %d printable ASCII characters", w.Name, maxWord)
	}
	return nil
}

const (
	maxWord     = 64
	headerChars = "-" + base36 + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)
