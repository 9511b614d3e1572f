package shape

const DoctorSchema Schema = "paydesk.doctor/1"

// Doctor is what works on a host.
type Doctor struct {
	Schema Schema `json:"schema"`
	// Profile is that which was examined; absent where there is none.
	Profile string `json:"profile,omitempty"`
	// Failed is how many checks failed; the command then ends with 1.
	Failed int `json:"failed"`
	// Warnings is how many checks found something that may be in order.
	Warnings int `json:"warnings"`
	// Steps are the checks, in their order.
	Steps []Step `json:"steps"`
}

// Step is one check of the doctor.
type Step struct {
	// Name is what was checked.
	Name string `json:"name"`
	// State is ok, warning, failed or skipped.
	State string `json:"state"`
	// Words are the result.
	Words string `json:"words"`
	// Do is what to do about it; absent where there is nothing to do.
	Do string `json:"do,omitempty"`
}
