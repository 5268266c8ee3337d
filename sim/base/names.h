/*
 * names.h - the names of the library for the linker: bufsim_ and the name in C.
 *
 * A program that embeds the library may have a size_class() or percentile() of its own in files
 * that include no header of the library.  Written by `make names`.
 */
#ifndef SIM_NAMES_H
#define SIM_NAMES_H

/* prefetch/detect.h */
#define detector_init bufsim_detector_init
#define detector_jump bufsim_detector_jump
#define detector_release bufsim_detector_release
#define detector_remember bufsim_detector_remember
#define reentry_words bufsim_reentry_words

/* prefetch/inner.h */
#define plan_ahead bufsim_plan_ahead
#define plan_cut bufsim_plan_cut

/* sim/base/bits.h */
#define bits_before bufsim_bits_before
#define bits_first bufsim_bits_first
#define bits_init bufsim_bits_init
#define bits_last bufsim_bits_last
#define bits_release bufsim_bits_release

/* sim/base/error.h */
#define error_prefix bufsim_error_prefix
#define error_set bufsim_error_set
#define error_usage bufsim_error_usage

/* sim/base/map.h */
#define array_grow bufsim_array_grow
#define map_at bufsim_map_at
#define map_get bufsim_map_get
#define map_prefetch bufsim_map_prefetch
#define map_release bufsim_map_release
#define names_intern bufsim_names_intern
#define names_release bufsim_names_release

/* sim/base/mapped.h */
#define mapped_bytes bufsim_mapped_bytes
#define mapped_catch_faults bufsim_mapped_catch_faults
#define mapped_check bufsim_mapped_check
#define mapped_close bufsim_mapped_close
#define mapped_open bufsim_mapped_open

/* sim/base/memory.h */
#define memory_bytes bufsim_memory_bytes
#define memory_drop bufsim_memory_drop
#define memory_table bufsim_memory_table

/* sim/base/nearest.h */
#define nearest_error bufsim_nearest_error
#define nearest_offer bufsim_nearest_offer
#define nearest_offer_name bufsim_nearest_offer_name
#define nearest_to bufsim_nearest_to
#define nearest_translate bufsim_nearest_translate

/* sim/base/number.h */
#define number_blocks bufsim_number_blocks
#define number_bytes bufsim_number_bytes
#define number_decimal bufsim_number_decimal
#define number_disk bufsim_number_disk
#define number_format bufsim_number_format
#define number_fraction bufsim_number_fraction
#define number_group bufsim_number_group
#define number_parse bufsim_number_parse
#define number_part bufsim_number_part
#define number_percent bufsim_number_percent
#define number_share bufsim_number_share
#define number_time bufsim_number_time
#define number_too_large bufsim_number_too_large
#define number_top bufsim_number_top
#define number_whole bufsim_number_whole

/* sim/base/output.h */
#define output_abandon bufsim_output_abandon
#define output_bytes bufsim_output_bytes
#define output_check bufsim_output_check
#define output_commit bufsim_output_commit
#define output_differs bufsim_output_differs
#define output_open bufsim_output_open
#define output_packs bufsim_output_packs
#define output_remove_temporary bufsim_output_remove_temporary
#define output_spares bufsim_output_spares
#define output_whole bufsim_output_whole

/* sim/base/plugin.h */
#define counters_zero bufsim_counters_zero
#define param_text bufsim_param_text
#define params_set bufsim_params_set
#define plugin_free bufsim_plugin_free
#define plugin_state bufsim_plugin_state

/* sim/block/queue.h */
#define queue_check bufsim_queue_check
#define queue_find bufsim_queue_find
#define queue_finish bufsim_queue_finish
#define queue_init bufsim_queue_init
#define queue_lack bufsim_queue_lack
#define queue_may_merge bufsim_queue_may_merge
#define queue_place bufsim_queue_place
#define queue_recovered bufsim_queue_recovered
#define queue_release bufsim_queue_release
#define queue_remove bufsim_queue_remove
#define queue_take bufsim_queue_take

/* sim/core/cache.h */
#define cache_init bufsim_cache_init
#define cache_part bufsim_cache_part
#define cache_release bufsim_cache_release
#define frame_check bufsim_frame_check

/* sim/core/config.h */
#define config_check bufsim_config_check
#define config_check_trace bufsim_config_check_trace
#define config_defaults bufsim_config_defaults
#define config_knows_advice bufsim_config_knows_advice
#define config_wants_pace bufsim_config_wants_pace

/* sim/core/fheap.h */
#define fheap_init bufsim_fheap_init
#define fheap_release bufsim_fheap_release
#define fheap_remove bufsim_fheap_remove
#define fheap_set bufsim_fheap_set
#define fheap_take_evictable bufsim_fheap_take_evictable

/* sim/core/future.h */
#define future_init bufsim_future_init
#define future_release bufsim_future_release

/* sim/core/ghosts.h */
#define ghosts_init bufsim_ghosts_init
#define ghosts_release bufsim_ghosts_release

/* sim/core/layout.h */
#define layout_accusim_sector bufsim_layout_accusim_sector
#define layout_check bufsim_layout_check
#define layout_init bufsim_layout_init
#define layout_sectors bufsim_layout_sectors

/* sim/core/policy.h */
#define policy_start bufsim_policy_start
#define policy_stop bufsim_policy_stop

/* sim/core/prefetch.h */
#define prefetcher_start bufsim_prefetcher_start
#define prefetcher_stop bufsim_prefetcher_stop

/* sim/core/responses.h */
#define percentile bufsim_percentile
#define response_arrives bufsim_response_arrives
#define response_ends bufsim_response_ends
#define responses_count bufsim_responses_count
#define responses_init bufsim_responses_init
#define responses_release bufsim_responses_release
#define responses_restart bufsim_responses_restart
#define responses_write bufsim_responses_write

/* sim/core/simulate.h */
#define simulate bufsim_simulate

/* sim/core/stats.h */
#define ratio_info bufsim_ratio_info
#define seek_class bufsim_seek_class
#define size_class bufsim_size_class
#define stat_info bufsim_stat_info
#define stats_add bufsim_stats_add
#define stats_end bufsim_stats_end
#define stats_own bufsim_stats_own
#define stats_start bufsim_stats_start
#define stats_unknown bufsim_stats_unknown

/* sim/device/cpu_costs.h */
#define cpu_cost_info bufsim_cpu_cost_info
#define cpu_cost_of_ns bufsim_cpu_cost_of_ns
#define cpu_costs_any bufsim_cpu_costs_any

/* sim/device/device.h */
#define data_sheets bufsim_data_sheets
#define device_start bufsim_device_start
#define device_stop bufsim_device_stop

/* sim/device/pace.h */
#define pace_measure bufsim_pace_measure

/* sim/registry.h */
#define choice_release bufsim_choice_release
#define data_sheet_value bufsim_data_sheet_value
#define plugin_device bufsim_plugin_device
#define plugin_format bufsim_plugin_format
#define plugin_kinds bufsim_plugin_kinds
#define plugin_policy bufsim_plugin_policy
#define plugin_prefetcher bufsim_plugin_prefetcher
#define plugin_scheduler bufsim_plugin_scheduler
#define plugin_shape bufsim_plugin_shape
#define registry_choose bufsim_registry_choose
#define registry_find bufsim_registry_find
#define registry_goes_inside bufsim_registry_goes_inside
#define registry_has bufsim_registry_has
#define registry_know bufsim_registry_know
#define registry_next_counter bufsim_registry_next_counter
#define registry_translate bufsim_registry_translate

/* sim/studies/frames/model/arena.h */
#define arena_close bufsim_arena_close
#define arena_open bufsim_arena_open

/* sim/studies/frames/model/frames.h */
#define frames_alloc bufsim_frames_alloc
#define frames_arena bufsim_frames_arena
#define frames_check bufsim_frames_check
#define frames_close bufsim_frames_close
#define frames_counts bufsim_frames_counts
#define frames_counts_zero bufsim_frames_counts_zero
#define frames_drain bufsim_frames_drain
#define frames_free bufsim_frames_free
#define frames_free_pages bufsim_frames_free_pages
#define frames_largest_order bufsim_frames_largest_order
#define frames_open bufsim_frames_open
#define frames_thread bufsim_frames_thread

/* sim/studies/frames/model/guard.h */
#define core_lock bufsim_core_lock
#define core_touch bufsim_core_touch
#define core_unlock bufsim_core_unlock
#define guard_new bufsim_guard_new
#define guard_wait bufsim_guard_wait
#define lines_free bufsim_lines_free
#define lines_new bufsim_lines_new

/* sim/studies/frames/model/load.h */
#define order_in_block bufsim_order_in_block
#define script_add bufsim_script_add
#define script_release bufsim_script_release

/* sim/studies/share/model/allocator.h */
#define heap_place_spanning bufsim_heap_place_spanning
#define spanning_words bufsim_spanning_words

/* sim/studies/share/model/clocks.h */
#define clocks_alone bufsim_clocks_alone
#define clocks_ask bufsim_clocks_ask
#define clocks_create bufsim_clocks_create
#define clocks_elapsed bufsim_clocks_elapsed
#define clocks_init bufsim_clocks_init
#define clocks_join bufsim_clocks_join
#define clocks_ready bufsim_clocks_ready
#define clocks_release bufsim_clocks_release
#define clocks_wait bufsim_clocks_wait
#define time_part_names bufsim_time_part_names

/* sim/studies/share/model/cost_set.h */
#define cost_of_program bufsim_cost_of_program
#define cost_reference bufsim_cost_reference
#define reference_words bufsim_reference_words

/* sim/studies/share/model/heap.h */
#define heap_init bufsim_heap_init
#define heap_place bufsim_heap_place
#define heap_release bufsim_heap_release
#define heap_skip bufsim_heap_skip

/* sim/studies/share/model/kind.h */
#define kind_make bufsim_kind_make
#define kind_words bufsim_kind_words
#define script_has_room bufsim_script_has_room
#define script_line bufsim_script_line
#define script_run bufsim_script_run
#define script_update bufsim_script_update

/* sim/studies/share/model/program.h */
#define program_check bufsim_program_check
#define program_line bufsim_program_line
#define program_parse bufsim_program_parse
#define program_read bufsim_program_read
#define program_release bufsim_program_release
#define program_write bufsim_program_write

/* sim/trace/chance.h */
#define chance_at bufsim_chance_at
#define chance_exp bufsim_chance_exp
#define chance_exponential bufsim_chance_exponential
#define chance_log bufsim_chance_log
#define chance_mix bufsim_chance_mix
#define chance_next bufsim_chance_next
#define chance_share bufsim_chance_share
#define scatter_init bufsim_scatter_init
#define scatter_place bufsim_scatter_place
#define zipf_init bufsim_zipf_init
#define zipf_next bufsim_zipf_next

/* sim/trace/format.h */
#define formats bufsim_formats

/* sim/trace/input.h */
#define input_beside bufsim_input_beside
#define input_bytes bufsim_input_bytes
#define input_checksum bufsim_input_checksum
#define input_close bufsim_input_close
#define input_count bufsim_input_count
#define input_count_more bufsim_input_count_more
#define input_file bufsim_input_file
#define input_from bufsim_input_from
#define input_head bufsim_input_head
#define input_is_cut bufsim_input_is_cut
#define input_line bufsim_input_line
#define input_line_number bufsim_input_line_number
#define input_next bufsim_input_next
#define input_note bufsim_input_note
#define input_noted bufsim_input_noted
#define input_open bufsim_input_open
#define input_path bufsim_input_path
#define input_records bufsim_input_records
#define input_rewind bufsim_input_rewind
#define input_rewinds bufsim_input_rewinds
#define input_scale bufsim_input_scale
#define input_set_scale bufsim_input_set_scale
#define input_skip bufsim_input_skip
#define input_skipped bufsim_input_skipped

/* sim/trace/load.h */
#define trace_load bufsim_trace_load
#define trace_load_set bufsim_trace_load_set
#define trace_make bufsim_trace_make

/* sim/trace/scan.h */
#define scan_end bufsim_scan_end
#define scan_explain bufsim_scan_explain
#define scan_fields bufsim_scan_fields
#define scan_head bufsim_scan_head
#define scan_hex bufsim_scan_hex
#define scan_is_among bufsim_scan_is_among
#define scan_is_heading bufsim_scan_is_heading
#define scan_length bufsim_scan_length
#define scan_line bufsim_scan_line
#define scan_line_or bufsim_scan_line_or
#define scan_minutes bufsim_scan_minutes
#define scan_quote bufsim_scan_quote
#define scan_rows_are bufsim_scan_rows_are
#define scan_seconds bufsim_scan_seconds
#define scan_take bufsim_scan_take

/* sim/trace/shape.h */
#define shape_gaps_words bufsim_shape_gaps_words

/* sim/trace/slots.h */
#define slots_entries bufsim_slots_entries
#define slots_init bufsim_slots_init
#define slots_most bufsim_slots_most
#define slots_release bufsim_slots_release
#define trace_is_sparse bufsim_trace_is_sparse

/* sim/trace/times.h */
#define time_unit_name bufsim_time_unit_name
#define time_unit_word bufsim_time_unit_word
#define times_are_plausible bufsim_times_are_plausible
#define times_is_of_today bufsim_times_is_of_today
#define times_judge bufsim_times_judge
#define times_to_us bufsim_times_to_us

/* sim/trace/trace.h */
#define trace_add_note bufsim_trace_add_note
#define trace_advice bufsim_trace_advice
#define trace_block_hint bufsim_trace_block_hint
#define trace_check bufsim_trace_check
#define trace_footprint bufsim_trace_footprint
#define trace_lay_out bufsim_trace_lay_out
#define trace_note bufsim_trace_note
#define trace_path bufsim_trace_path
#define trace_references bufsim_trace_references
#define trace_release bufsim_trace_release
#define trace_renumber bufsim_trace_renumber
#define trace_scale bufsim_trace_scale
#define trace_take_fingerprint bufsim_trace_take_fingerprint
#define trace_touched bufsim_trace_touched
#define trace_unchanged bufsim_trace_unchanged
#define trace_write_note bufsim_trace_write_note

#endif
